// The parts of Apache ECharts that the report draws with, as the global that modules/chart.js looks for.
import { use, init } from "echarts/core";
import { LineChart, BarChart, CustomChart } from "echarts/charts";
import { GridComponent, TooltipComponent, AriaComponent, MarkLineComponent } from "echarts/components";
import { CanvasRenderer } from "echarts/renderers";

use([LineChart, BarChart, CustomChart, GridComponent, TooltipComponent, AriaComponent, MarkLineComponent, CanvasRenderer]);
globalThis.reportCharts = { init };
