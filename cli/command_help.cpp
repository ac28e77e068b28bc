#include "cli/command_help.hpp"

namespace spillway::cli {

const std::array<CommandHelp, 18> commands{
    {{Command::run, "run", "Simulate", "Simulate a scenario: share tables by epoch, and a summary", "SCENARIO",
      "SCENARIO", "Scenario file, JSON or YAML; - reads standard input",
      "  spillway run failover.yaml\n  spillway run failover.yaml --by zone -o markdown"},
     {Command::share, "share", "Simulate", "Exact shares only, of a scenario or of Envoy's own documents", "FILE...",
      "FILE",
      "A scenario file; or a Bootstrap, Clusters and ClusterLoadAssignments as Envoy reads them. - reads standard "
      "input",
      "  spillway share failover.yaml -o json\n  spillway share bootstrap.yaml --cluster backend\n"
      "  spillway share cluster.json endpoints.json"},
     {Command::check, "check", "Verify", "Check the expectations of scenarios and report which are met", "[PATH...]",
      "PATH", "Scenario files, or folders that are searched for them; default: the folder scenarios",
      "  spillway check scenarios/documented --jobs 2\n  spillway check failover.yaml -o json"},
     {Command::tables, "tables", "Verify", "Reprint every documented table: documented | exact | simulated",
      "[PATH...]", "PATH", "Scenario files or folders; default: the documented scenarios that come with spillway",
      "  spillway tables\n  spillway tables scenarios/documented/panic-two-levels.yaml -o markdown"},
     {Command::plan, "plan", "Plan", "Capacity: what each failure does, headroom, fewest endpoints, what to buy next",
      "SCENARIO", "SCENARIO", "Scenario file, JSON or YAML; - reads standard input",
      "  spillway plan three-zones.yaml\n  spillway plan three-zones.yaml --growth 1.5x -o markdown"},
     {Command::sweep, "sweep", "Plan", "Simulate a scenario with many values of its keys; show and plot the results",
      "SCENARIO --over KEY=VALUES... -o FILE", "SCENARIO",
      "Scenario file; or show FILE, plot FILE, sensitivity FILE (results of a sweep), merge FILE SHARD... (joins "
      "shards)",
      "  spillway sweep shop.yaml --over 'clients[shop].workload.rate=100..2000/20' --replications 5 -j 2 -o "
      "rates.sqlite\n"
      "  spillway sweep show rates.sqlite --x rate --y p99\n"
      "  spillway sweep show rates.sqlite --report rates.html\n"
      "  spillway sweep plot rates.sqlite --x rate --y failed -o rates.svg"},
     {Command::find, "find", "Plan", "Find the highest or lowest value of a key at which objectives are met",
      "SCENARIO --maximise KEY=LOW..HIGH --such-that CONDITION...", "SCENARIO",
      "Scenario file, JSON or YAML; - reads standard input",
      "  spillway find shop.yaml --maximise 'clients[shop].workload.rate=100..5000' --such-that 'failed < 0.1 %' "
      "--such-that 'p99 < 200ms'\n"
      "  spillway find shop.yaml --over 'clusters[cart].outlier_detection.max_ejection_percent=0..100' --minimise "
      "failed"},
     {Command::diff, "diff", "Plan", "What a change moves: traffic, load, hashed keys, cost between zones, warnings",
      "OLD NEW", "OLD NEW",
      "Two scenario files, two Envoy documents, or a scenario and a file of Kuma's policies or Istio's rules that "
      "change it; - reads standard input",
      "  spillway diff main.yaml branch.yaml -o markdown\n  spillway diff old-policy.yaml new-policy.yaml --scenario "
      "shop.yaml\n  spillway diff shop.yaml new-policy.yaml\n  spillway diff config_dump.json --to-profile "
      "envoy=release-1.40"},
     {Command::compare, "compare", "Verify",
      "Compare what a proxy counted with the shares that its configuration predicts",
      "FILE... --clusters BEFORE --clusters AFTER", "FILE",
      "The proxy's configuration, as `spillway share` reads it. - reads standard input",
      "  spillway compare bootstrap.yaml --clusters before.txt --clusters after.txt\n"
      "  spillway compare bootstrap.yaml --access-log access.log --cluster backend -o json\n"
      "  spillway compare mesh.yaml rules.yaml --dump proxy.json"},
     {Command::subsets, "subsets", "Explain", "Print or draw the subsets of a cluster: keys, values, hosts, fallbacks",
      "FILE...", "FILE",
      "A scenario file; or a Bootstrap, Clusters and ClusterLoadAssignments as Envoy reads them. - reads standard "
      "input",
      "  spillway subsets canary.yaml\n  spillway subsets bootstrap.yaml --cluster backend -o dot | dot -Tsvg > "
      "subsets.svg"},
     {Command::explain, "explain", "Explain", "Why requests go where they go: rules, loads, hosts, with the arithmetic",
      "FILE...", "FILE",
      "A scenario file; or a Bootstrap, Clusters and ClusterLoadAssignments as Envoy reads them. - reads standard "
      "input",
      "  spillway explain failover.yaml --client frontend --service backend --at 25s\n"
      "  spillway explain failover.yaml --at 25s --why zone-3\n  spillway explain bootstrap.yaml --key user-17"},
     {Command::plot, "plot", "Explain", "Draw pictures, by gnuplot and Graphviz", "SCENARIO --kind LIST -o FILE",
      "SCENARIO", "Scenario file, JSON or YAML; - reads standard input",
      "  spillway plot failover.yaml --kind share -o failover.svg\n  spillway plot failover.yaml --kind topology --at "
      "20s -o failover.png"},
     {Command::export_documents, "export", "Write",
      "Write a scenario as documents for another program: an Envoy bootstrap", "KIND SCENARIO -o FOLDER",
      "KIND SCENARIO",
      "What to write: envoy, a bootstrap that a real Envoy runs, every endpoint on a loopback address of its own; and "
      "a scenario file, - reads standard input",
      "  spillway export envoy failover.yaml -o out\n  spillway export envoy failover.yaml --at 20s --client frontend "
      "--port 20000 -o out"},
     {Command::import_documents, "import", "Write", "Write what a proxy knows as a scenario file",
      "FILE... [-o SCENARIO]", "FILE",
      "The proxy's configuration, as `spillway share` reads it. - reads standard input",
      "  spillway import bootstrap.yaml -o shop.yaml --rate 500rps\n"
      "  spillway import bootstrap.yaml --clusters before.txt --clusters after.txt --apart 60s -o shop.yaml"},
     {Command::init, "init", "Write", "Write a scenario around documents of Kubernetes, Istio or Kuma, to be edited",
      "FILE... [-o SCENARIO]", "FILE", "Documents of Kubernetes, Istio or Kuma: files, folders, - for standard input",
      "  spillway init mesh.yaml rules.yaml -o shop.yaml\n  kubectl get svc,deploy,destinationrule -A -o yaml | "
      "spillway "
      "init - -o shop.yaml"},
     {Command::try_rule, "try", "Explain", "What a rule does, against the same world without it", "RULE...", "RULE",
      "A DestinationRule, a VirtualService, a policy of Kuma, or a part of one; - reads standard input",
      "  spillway try rule.yaml\n  spillway try rule.yaml --zones a:4,b:2"},
     {Command::validate, "validate", "Write", "Report every problem in scenario files, with its line and column",
      "FILE...", "FILE", "Scenario files, JSON or YAML; - reads standard input",
      "  spillway validate failover.yaml\n  spillway validate --explain SP104"},
     {Command::schema, "schema", "Write", "Print the JSON Schema of scenario files", "", "", "",
      "  spillway schema > scenario.json"}}};

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CommandHelp& help : commands) {
    names.emplace_back(help.name);
  }
  return names;
}

}  // namespace spillway::cli
