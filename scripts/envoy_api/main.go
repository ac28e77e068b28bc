// Prints the messages and enums that are linked into this program as tables; scripts/envoy-api builds and runs it, and
// models/envoy/api/tables/README.md describes the format.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/envoyproxy/go-control-plane/envoy/annotations"
	"github.com/envoyproxy/protoc-gen-validate/validate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/durationpb"
)

// Well-known types have a JSON form of their own, and Envoy's services and admin interface are no configuration.
func isConfiguration(name string) bool {
	for _, prefix := range []string{"google.", "validate.", "udpa.annotations.", "xds.annotations.", "envoy.annotations.",
		"envoy.admin.", "envoy.api."} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return true
}

func escaped(text string) string {
	var out strings.Builder
	for _, b := range []byte(text) {
		if b <= ' ' || b > '~' || b == '%' || b == ',' || b == '"' || b == '\\' {
			fmt.Fprintf(&out, "%%%02X", b)
		} else {
			out.WriteByte(b)
		}
	}
	return out.String()
}

func value(field protoreflect.FieldDescriptor, v protoreflect.Value) string {
	switch field.Kind() {
	case protoreflect.MessageKind:
		d := v.Message().Interface()
		if duration, ok := d.(*durationpb.Duration); ok {
			return strconv.FormatFloat(float64(duration.Seconds)+float64(duration.Nanos)/1e9, 'f', -1, 64)
		}
		panic("a rule of type " + string(field.Message().FullName()))
	case protoreflect.EnumKind:
		return strings.ToLower(string(field.Enum().Values().ByNumber(v.Enum()).Name()))
	case protoreflect.BytesKind:
		return escaped(string(v.Bytes()))
	case protoreflect.BoolKind:
		return strconv.FormatBool(v.Bool())
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case protoreflect.StringKind:
		return escaped(v.String())
	}
	return fmt.Sprint(v.Interface())
}

// Appends the rules of protoc-gen-validate, each as `name` or `name=value`; those of items, keys and values of lists
// and maps have a prefix.
func appendRules(out *[]string, prefix string, rules protoreflect.Message) {
	fields := rules.Descriptor().Fields()
	for i := 0; i < fields.Len(); i++ {
		field := fields.Get(i)
		if !rules.Has(field) {
			continue
		}
		v := rules.Get(field)
		name := prefix + string(field.Name())
		switch {
		case field.IsList():
			words := []string{}
			for j := 0; j < v.List().Len(); j++ {
				words = append(words, value(field, v.List().Get(j)))
			}
			*out = append(*out, name+"="+strings.Join(words, ","))
		case field.Kind() == protoreflect.MessageKind && field.Message().FullName() == "validate.FieldRules":
			appendRules(out, name+".", v.Message())
		case field.Kind() == protoreflect.MessageKind && field.Message().FullName() != "google.protobuf.Duration":
			appendRules(out, prefix, v.Message())
		case field.Kind() == protoreflect.BoolKind && v.Bool():
			*out = append(*out, name)
		default:
			*out = append(*out, name+"="+value(field, v))
		}
	}
}

func kind(field protoreflect.FieldDescriptor) string {
	switch field.Kind() {
	case protoreflect.MessageKind:
		return string(field.Message().FullName())
	case protoreflect.EnumKind:
		return "enum:" + string(field.Enum().FullName())
	}
	return field.Kind().String()
}

const (
	matcherInputs = "envoy.matching.common_inputs,envoy.matching.http.input,envoy.matching.network.input," +
		"envoy.matching.transport_socket.input,envoy.matching.generic_proxy_request_input.input," +
		"envoy.matching.stat_matching_data.input,envoy.matching.stat_tag_matching_data.input"
	customMatchers = "envoy.matching.http.custom_matchers,envoy.matching.network.custom_matchers"
	forRoutes      = "envoy.filters.http.route"
)

// Categories of the extensions that fields take, where the comments of the generated sources do not name them, or only
// some. Source: the code of Envoy that reads the field.
var categories = map[string]string{
	"envoy.config.cluster.v3.Cluster.transport_socket": "envoy.transport_sockets.upstream",
	"envoy.config.route.v3.Route.route_specifiers":     "envoy.router.route_specifiers",
	// Read when a request comes, or names are resolved.
	"envoy.config.cluster.v3.Cluster.upstream_config":                                    "",
	"envoy.config.cluster.v3.Cluster.typed_dns_resolver_config":                          "",
	"envoy.config.cluster.v3.Cluster.typed_extension_protocol_options":                   "",
	"envoy.config.cluster.v3.Filter.typed_config":                                        "envoy.filters.upstream_network",
	"envoy.config.route.v3.RouteConfiguration.typed_per_filter_config":                   forRoutes,
	"envoy.config.route.v3.VirtualHost.typed_per_filter_config":                          forRoutes,
	"envoy.config.route.v3.Route.typed_per_filter_config":                                forRoutes,
	"envoy.config.route.v3.WeightedCluster.ClusterWeight.typed_per_filter_config":        forRoutes,
	"envoy.config.route.v3.FilterConfig.config":                                          forRoutes,
	"envoy.extensions.filters.http.composite.v3.FilterChainConfiguration.typed_config":   "envoy.filters.http",
	"envoy.config.route.v3.RouteConfiguration.route_specifiers":                          "envoy.router.route_specifiers",
	"envoy.config.route.v3.VirtualHost.route_specifiers":                                 "envoy.router.route_specifiers",
	"envoy.config.common.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate.input": matcherInputs,
	"envoy.config.common.matcher.v3.Matcher.MatcherTree.input":                           matcherInputs,
	"envoy.config.common.matcher.v3.Matcher.MatcherTree.custom_match":                    customMatchers,
	"xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate.input":            matcherInputs,
	"xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate.custom_match":     "envoy.matching.input_matchers",
	"xds.type.matcher.v3.Matcher.MatcherTree.input":                                      matcherInputs,
	"xds.type.matcher.v3.Matcher.MatcherTree.custom_match":                               customMatchers,
	"xds.type.matcher.v3.StringMatcher.custom":                                           "envoy.string_matcher",
}

var (
	goPackage = regexp.MustCompile(`(?m)^// source: (.*)$`)
	goStruct  = regexp.MustCompile(`^type (\w+) struct \{`)
	category  = regexp.MustCompile(`\[#extension-category: ([\w.,]+)\]`)
	goField   = regexp.MustCompile(`protobuf:"[^"]*name=(\w+),`)
	goOneof   = regexp.MustCompile(`protobuf_oneof:"config_type"`)
)

// Reads the comments of the sources below a folder: "file.proto Message_Nested field" to the category.
func readCategories(folder string) map[string]string {
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".pb.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		source := goPackage.FindStringSubmatch(string(text))
		owner, said := "", ""
		for _, line := range strings.Split(string(text), "\n") {
			if match := goStruct.FindStringSubmatch(line); match != nil {
				owner, said = match[1], ""
			} else if match := category.FindStringSubmatch(line); match != nil {
				said = match[1]
			} else if match := goField.FindStringSubmatch(line); match != nil {
				if said != "" {
					found[source[1]+" "+owner+" "+match[1]] = said
				}
				said = ""
			} else if goOneof.MatchString(line) && said != "" {
				found[source[1]+" "+owner+" typed_config"] = said
			}
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return found
}

var commented = readCategories(os.Args[1])

// Returns the category of a field; "" if it has none, or if it is no message.
func categoryOf(field protoreflect.FieldDescriptor) string {
	if field.Message() == nil {
		return ""
	}
	if known, ok := categories[string(field.FullName())]; ok {
		return known
	}
	message := field.Parent().(protoreflect.MessageDescriptor)
	owner := strings.TrimPrefix(string(message.FullName()), string(message.ParentFile().Package())+".")
	prefix := message.ParentFile().Path() + " " + strings.ReplaceAll(owner, ".", "_")
	if said := commented[prefix+" "+string(field.Name())]; said != "" {
		return said
	}
	// A member of a oneof has a struct of its own: Message_Member.
	var member strings.Builder
	for _, word := range strings.Split(string(field.Name()), "_") {
		member.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return commented[prefix+"_"+member.String()+" "+string(field.Name())]
}

func fieldLine(field protoreflect.FieldDescriptor) string {
	words := []string{fmt.Sprint(field.Number()), string(field.Name())}
	switch {
	case field.IsMap():
		words = append(words, "map:"+kind(field.MapKey())+":"+kind(field.MapValue()))
	case field.IsList():
		words = append(words, "list:"+kind(field))
	default:
		words = append(words, kind(field))
	}
	if oneof := field.ContainingOneof(); oneof != nil && !oneof.IsSynthetic() {
		words = append(words, "oneof="+string(oneof.Name()))
	}
	options := field.Options()
	if proto.HasExtension(options, validate.E_Rules) {
		appendRules(&words, "", proto.GetExtension(options, validate.E_Rules).(*validate.FieldRules).ProtoReflect())
	}
	if options.(*descriptorpb.FieldOptions).GetDeprecated() {
		words = append(words, "deprecated")
	}
	if proto.GetExtension(options, annotations.E_DisallowedByDefault).(bool) {
		words = append(words, "disallowed")
	}
	if taken := categoryOf(field); taken != "" {
		words = append(words, "category="+taken)
	}
	return strings.Join(words, " ")
}

func messageLines(message protoreflect.MessageDescriptor) string {
	var out strings.Builder
	fmt.Fprintf(&out, "message %s\n", message.FullName())
	for i := 0; i < message.Oneofs().Len(); i++ {
		oneof := message.Oneofs().Get(i)
		if proto.GetExtension(oneof.Options(), validate.E_Required).(bool) {
			fmt.Fprintf(&out, "required %s\n", oneof.Name())
		}
	}
	for i := 0; i < message.Fields().Len(); i++ {
		fmt.Fprintln(&out, fieldLine(message.Fields().Get(i)))
	}
	return out.String()
}

func enumLines(enum protoreflect.EnumDescriptor) string {
	var out strings.Builder
	fmt.Fprintf(&out, "enum %s\n", enum.FullName())
	for i := 0; i < enum.Values().Len(); i++ {
		value := enum.Values().Get(i)
		fmt.Fprintf(&out, "%d %s", value.Number(), value.Name())
		options := value.Options()
		if options.(*descriptorpb.EnumValueOptions).GetDeprecated() {
			fmt.Fprint(&out, " deprecated")
		}
		if proto.GetExtension(options, annotations.E_DisallowedByDefaultEnum).(bool) {
			fmt.Fprint(&out, " disallowed")
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}

func main() {
	blocks := map[string]string{}
	roots := map[string]bool{}
	uses := map[string][]string{}
	var addMessage func(protoreflect.MessageDescriptor)
	addEnums := func(enums protoreflect.EnumDescriptors) {
		for i := 0; i < enums.Len(); i++ {
			if name := string(enums.Get(i).FullName()); isConfiguration(name) {
				blocks[name] = enumLines(enums.Get(i))
			}
		}
	}
	addMessage = func(message protoreflect.MessageDescriptor) {
		name := string(message.FullName())
		if !message.IsMapEntry() && isConfiguration(name) {
			blocks[name] = messageLines(message)
			roots[name] = !strings.HasPrefix(name, "envoy.service.") && !strings.HasPrefix(name, "envoy.data.") &&
				strings.HasPrefix(name, "envoy.") || strings.HasPrefix(name, "xds.type.")
		}
		for i := 0; i < message.Fields().Len(); i++ {
			field := message.Fields().Get(i)
			for _, used := range []protoreflect.FieldDescriptor{field, field.MapValue()} {
				if used == nil {
					continue
				}
				if used.Message() != nil {
					uses[name] = append(uses[name], string(used.Message().FullName()))
				}
				if used.Enum() != nil {
					uses[name] = append(uses[name], string(used.Enum().FullName()))
				}
			}
		}
		addEnums(message.Enums())
		for i := 0; i < message.Messages().Len(); i++ {
			addMessage(message.Messages().Get(i))
		}
	}
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		addEnums(file.Enums())
		for i := 0; i < file.Messages().Len(); i++ {
			addMessage(file.Messages().Get(i))
		}
		return true
	})
	// Keep what configuration can reach.
	reached := map[string]bool{}
	var reach func(string)
	reach = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		for _, used := range uses[name] {
			reach(used)
		}
	}
	for name, isRoot := range roots {
		if isRoot {
			reach(name)
		}
	}
	names := []string{}
	for name := range blocks {
		if reached[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintln(os.Stdout, blocks[name])
	}
}
