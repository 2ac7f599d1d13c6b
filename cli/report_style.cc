// SPDX-License-Identifier: Apache-2.0
#include "cli/report_html.h"

namespace gelu::cli {

const char* const kReportStyle = R"css(
:root {
  color-scheme: light dark;
  --ground: #fdfdfc; --panel: #f4f4f1; --line: #dcdcd6; --text: #1d1f21; --muted: #63676b;
  --accent: #1f5fa8; --bar: #8fb4dc; --gate: #c2571a; --warn: #9a3412;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181a; --panel: #1f2225; --line: #383c40; --text: #e6e7e8; --muted: #9ba1a6;
    --accent: #7fb2ea; --bar: #3f6ea3; --gate: #f0975a; --warn: #f5a97f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem; background: var(--ground); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 0; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 2rem 0 .4rem; }
p { margin: .4rem 0; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .15em; }
code, .formula { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; }
.kicker { color: var(--muted); margin: 0 0 .2rem; font-size: .9rem; }
.meta, .note, figcaption { color: var(--muted); font-size: .9rem; }
.note, figcaption { max-width: 52rem; }
.findings { margin: 1rem 0; padding: .7rem 1rem .7rem 2rem; background: var(--panel); border-left: 3px solid var(--accent); }
.findings li { margin: .3rem 0; }
section.tensor { margin-top: 3rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { padding: .38rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: .5rem; }
thead th { font-weight: 600; color: var(--muted); font-size: .82rem; vertical-align: bottom; }
tbody th { font-weight: 600; }
tr.reference { background: var(--panel); }
small { color: var(--muted); font-weight: 400; font-size: .8rem; display: block; white-space: normal; max-width: 17rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .6rem; margin: 1.2rem 0 0; }
.tiles div { background: var(--panel); border-radius: 4px; padding: .55rem .75rem; }
.tiles dt { color: var(--muted); font-size: .82rem; }
.tiles dd { margin: 0; font-size: 1.2rem; font-weight: 600; }
.tiles dd small { font-size: .78rem; line-height: 1.35; margin-top: .15rem; }
figure { margin: 1.2rem 0 0; }
svg { display: block; max-width: 100%; height: auto; }
.hero text { fill: var(--muted); font: 12px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
.bars { fill: var(--bar); } .gate { fill: none; stroke: var(--gate); stroke-width: 2.2; }
.hero text.gatelabel { fill: var(--gate); }
.axis { stroke: var(--line); stroke-width: 1; } .tail { fill: var(--warn); opacity: .12; }
.spark { width: 96px; height: 22px; margin-left: auto; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem; }
.pictures figure { margin: 0; }
summary { cursor: pointer; font-weight: 600; margin: 2rem 0 .6rem; }
.warn { color: var(--warn); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--muted); font-size: .85rem; }
@media (max-width: 40rem) {
  body { padding: 1.2rem .9rem 3rem; font-size: 15px; }
  .tiles { grid-template-columns: repeat(2, 1fr); }
  .hero text { font-size: 24px; }
  th, td { padding: .35rem .45rem; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; --panel: #f6f6f6; --line: #ccc; --text: #000; --muted: #444;
    --accent: #123f75; --bar: #a9c3e2; --gate: #a8450f; --warn: #8a2c0b; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  section.tensor { break-before: page; border-top: 0; margin-top: 0; padding-top: 0; }
  section.tensor.only { break-before: auto; }
  figure, table, .tiles div, .findings { break-inside: avoid; }
  h3 { break-after: avoid; }
  .scroll { overflow: visible; }
  .tiles { grid-template-columns: repeat(5, 1fr); }
  .pictures { grid-template-columns: 1fr 1fr; }
}
)css";

}  // namespace gelu::cli
