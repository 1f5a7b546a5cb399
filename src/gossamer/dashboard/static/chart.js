// Values of charts: read by pointing, by touch or with the arrow keys. The server draws the charts; this adds a line that moves,
// and what stands there in words.
"use strict";

function readChart(plot) {
  return JSON.parse(plot.querySelector("svg").dataset.chart);
}

function writeChartValue(value, unit) {
  if (value === null) return "no value";
  if (unit === "%") return `${(100 * value).toFixed(1)} %`;
  if (unit.startsWith("bytes")) {
    const names = ["B", "kB", "MB", "GB", "TB"];
    let size = 0;
    while (value >= 1000 && size < names.length - 1) [value, size] = [value / 1000, size + 1];
    return `${value.toFixed(size ? 1 : 0)} ${names[size]}${unit.slice(5)}`;
  }
  const digits = value >= 10 || Number.isInteger(value) ? 0 : value < 1 ? 3 : 1;
  return `${value.toLocaleString("en", { maximumFractionDigits: digits })} ${unit}`;
}

function writeChartMoment(seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

function placeIn(chart, time) {
  const span = chart.end - chart.times[0];
  return span > 0 ? Math.min(Math.max((time - chart.times[0]) / span, 0), 1) : 0;
}

function middleOf(chart, at) {
  if (!chart.bars) return chart.times[at];
  return (chart.times[at] + (chart.times[at + 1] ?? chart.end)) / 2;
}

function nearest(chart, part) {
  let best = 0;
  let least = Infinity;
  for (let at = 0; at < chart.times.length; at++) {
    const far = Math.abs(placeIn(chart, middleOf(chart, at)) - part);
    if (far < least) [best, least] = [at, far];
  }
  return best;
}

function wordsAt(chart, at) {
  const where = chart.name ? `${chart.name} ${at}` : writeChartMoment(chart.times[at]);
  const values = chart.series.map((one) => {
    const value = writeChartValue(one.values[at], chart.unit);
    return chart.series.length > 1 ? `${one.name} ${value}` : value;
  });
  const shown = chart.series.length > 1 ? values.filter((words, place) => chart.series[place].values[at]) : values;
  const near = chart.marks.filter((mark) => isMarkAt(chart, mark, at)).map((mark) => mark.words);
  return [where, (shown.length ? shown : ["none"]).join(", "), ...new Set(near)].join(" · ");
}

function isMarkAt(chart, mark, at) {
  const time = middleOf(chart, at);
  if (mark.until !== null && mark.time <= time && time <= mark.until) return true;
  return Math.abs(placeIn(chart, mark.time) - placeIn(chart, time)) < Math.max(0.012, 0.5 / chart.times.length);
}

class ChartReader {
  constructor(plot) {
    this.plot = plot;
    this.box = plot.querySelector(".reading");
    this.box.innerHTML = '<i class="line"></i><output></output>';
    [this.line, this.output] = this.box.children;
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "slider");
    this.box.setAttribute("aria-label", plot.closest("figure").querySelector("figcaption span").textContent);
    this.box.hidden = false;
    this.time = null; // what is read stays in its place while the chart grows
    this.describe();
    this.box.addEventListener("pointermove", (event) => this.point(event));
    this.box.addEventListener("pointerdown", (event) => this.point(event));
    this.box.addEventListener("pointerleave", () => this.leave());
    this.box.addEventListener("blur", () => this.leave());
    this.box.addEventListener("focus", () => this.box.matches(":focus-visible") && this.time === null && this.step(readChart(plot).times.length - 1));
    this.box.addEventListener("keydown", (event) => this.press(event));
  }

  point(event) {
    const chart = readChart(this.plot);
    const { left, width } = this.box.getBoundingClientRect();
    if (chart.times.length) this.show(chart, nearest(chart, (event.clientX - left) / width));
  }

  press(event) {
    const last = readChart(this.plot).times.length - 1;
    const at = this.time === null ? last : this.at();
    const steps = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageDown: at - 10, PageUp: at + 10, Home: 0, End: last };
    if (event.key === "Escape") this.leave();
    if (!(event.key in steps) || last < 0) return;
    event.preventDefault();
    this.step(Math.min(Math.max(steps[event.key], 0), last));
  }

  step(at) {
    const chart = readChart(this.plot);
    if (chart.times.length) this.show(chart, at);
  }

  at() {
    const chart = readChart(this.plot);
    let found = 0;
    for (let at = 0; at < chart.times.length; at++) if (chart.times[at] <= this.time) found = at;
    return found;
  }

  show(chart, at) {
    this.time = chart.times[at];
    this.line.style.left = `${100 * placeIn(chart, middleOf(chart, at))}%`;
    this.output.textContent = wordsAt(chart, at);
    this.box.classList.add("reads");
    this.describe(chart, at);
  }

  leave() {
    this.time = null;
    this.box.classList.remove("reads");
    this.output.textContent = "";
  }

  describe(chart = readChart(this.plot), at = chart.times.length - 1) {
    this.box.setAttribute("aria-valuemin", "0");
    this.box.setAttribute("aria-valuemax", String(Math.max(chart.times.length - 1, 0)));
    this.box.setAttribute("aria-valuenow", String(Math.max(at, 0)));
    this.box.setAttribute("aria-valuetext", chart.times.length ? wordsAt(chart, at) : "no values yet");
  }

  renew() {
    if (this.time !== null) this.step(this.at());
  }
}

const chartReaders = new Map();

function readCharts() {
  for (const plot of chartReaders.keys()) if (!plot.isConnected) chartReaders.delete(plot);
  for (const plot of document.querySelectorAll(".plot")) {
    if (!chartReaders.has(plot)) chartReaders.set(plot, new ChartReader(plot));
    else chartReaders.get(plot).renew();
  }
}

readCharts();
addEventListener("patched", readCharts);
