"""The style sheet: calm, light or dark as the reader has it, and fit to be printed."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark;
  --ground: #fdfcfa; --sheet: #ffffff; --ink: #1f2328; --soft: #5b636d; --rule: #dcd9d2; --accent: #24527a;
  --pro: #1f5fa8; --con: #b3372f; --judge: #8a6a00; --other: #6b7280;
  --good: #1d6b3a; --part: #8a5a00; --bad: #a3312a; --open: #5b636d;
  --warn-ground: #fff4dc; --warn-rule: #d9a520; --heat: 36, 82, 122; --heat-ink: #ffffff; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #15181c; --sheet: #1c2025; --ink: #e6e4df; --soft: #a2a9b3; --rule: #363c44; --accent: #8fc1ea;
  --pro: #7db4f0; --con: #f1938b; --judge: #e2c25b; --other: #a2a9b3;
  --good: #7fd09b; --part: #e5b567; --bad: #f1938b; --open: #a2a9b3;
  --warn-ground: #3a2f14; --warn-rule: #b98a1e; --heat: 120, 180, 230; --heat-ink: #10151a; } }
* { box-sizing: border-box; }
html { scroll-behavior: auto; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); line-height: 1.6;
  font: 1.0625rem/1.6 "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, serif; }
header, main, footer { max-width: 70rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
header { padding-top: clamp(1.5rem, 5vw, 3.5rem); }
footer { padding-bottom: 3rem; color: var(--soft); font-size: .875rem; }
h1, h2, h3, h4, th, caption, nav, .small, .standing, .chip, .turn > header, dt, svg text, .advice b, .banner b {
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { font-size: clamp(1.6rem, 4.4vw, 2.5rem); line-height: 1.2; margin: .3rem 0 1.5rem; letter-spacing: -.015em;
  overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 3.25rem 0 .75rem; padding-top: .9rem;
  border-top: 1px solid var(--rule); }
h3 { font-size: 1.08rem; margin: 2rem 0 .5rem; }
p, ul, ol, dl { margin: .6rem 0; max-width: 46rem; }
ul { padding-left: 1.25rem; } li { margin: .35rem 0; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
a:focus-visible, .frame:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
:target { outline: 2px solid var(--warn-rule); outline-offset: 4px; border-radius: 4px; }
.small { font-size: .85rem; color: var(--soft); overflow-wrap: anywhere; }
.banner { background: var(--warn-ground); border-left: 5px solid var(--warn-rule); border-radius: 6px;
  padding: .8rem 1.1rem; margin: 0 0 1.25rem; max-width: none; }
.banner ul { margin: .3rem 0 0; } .banner li { margin: .15rem 0; }
.advice { background: var(--sheet); border: 1px solid var(--rule); border-left: 5px solid var(--accent);
  border-radius: 8px; padding: 1.1rem 1.35rem; font-size: 1.3rem; line-height: 1.45; max-width: none;
  margin: 0 0 1.5rem; overflow-wrap: anywhere; }
.advice b { display: block; font-size: .78rem; text-transform: uppercase; letter-spacing: .09em; color: var(--soft);
  font-weight: 600; margin-bottom: .15rem; }
dl.facts { display: grid; grid-template-columns: minmax(8rem, auto) 1fr; gap: .5rem 1.5rem; max-width: 56rem; }
dl.facts dt { color: var(--soft); font-size: .9rem; padding-top: .12rem; }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
nav ul { list-style: none; padding: .8rem 0 0; display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; font-size: .93rem;
  max-width: none; } nav li { margin: .1rem 0; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 0 2.5rem; }
.columns h3 { margin-top: 1rem; }
.frame { overflow-x: auto; margin: .9rem 0 1.2rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.45; }
caption { text-align: left; color: var(--soft); font-size: .85rem; padding: 0 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .7rem; border-bottom: 1px solid var(--rule);
  overflow-wrap: break-word; }
thead th { font-weight: 600; font-size: .8rem; color: var(--soft); border-bottom: 2px solid var(--rule);
  vertical-align: bottom; white-space: nowrap; }
tbody th { font-weight: 600; white-space: nowrap; } tbody tr:last-child > * { border-bottom: 0; }
table.trace { min-width: 54rem; } table.trace td:nth-child(3) { min-width: 10.5rem; }
table.trace td:nth-child(4) { min-width: 8.5rem; } table.trace td:last-child { min-width: 10rem; }
table.trace th, table.trace td { padding-left: .5rem; padding-right: .5rem; }
table.moved { min-width: 52rem; }
.standing { white-space: nowrap; font-weight: 600; font-size: .92em; }
.upheld { color: var(--good); } .partially_upheld { color: var(--part); } .refuted { color: var(--bad); }
.uncertain { color: var(--open); }
table.grid { width: auto; } table.grid tbody th { white-space: normal; min-width: 12rem; max-width: 26rem;
  font-weight: 400; } table.grid tbody th b { margin-right: .4rem; }
td.mark { text-align: center; min-width: 4.2rem; font-variant-numeric: tabular-nums; border: 2px solid var(--ground);
  border-radius: 6px; } td.none { color: var(--soft); }
.chip { display: inline-block; min-width: 2.6rem; text-align: center; padding: .08rem .45rem; margin: .12rem;
  border-radius: 5px; font-size: .82rem; text-decoration: none; color: inherit; border: 1px solid var(--rule); }
.heat1 { background: rgba(var(--heat), .03); } .heat2 { background: rgba(var(--heat), .08); }
.heat3 { background: rgba(var(--heat), .15); } .heat4 { background: rgba(var(--heat), .23); }
.heat5 { background: rgba(var(--heat), .32); } .heat6 { background: rgba(var(--heat), .42); }
.heat7 { background: rgba(var(--heat), .8); color: var(--heat-ink); }
.heat8 { background: rgba(var(--heat), .87); color: var(--heat-ink); }
.heat9 { background: rgba(var(--heat), .94); color: var(--heat-ink); }
.heat10 { background: rgb(var(--heat)); color: var(--heat-ink); }
.maps { overflow: auto; border: 1px solid var(--rule); border-radius: 8px; background: var(--sheet); padding: .5rem;
  margin: 1rem 0; max-height: 90vh; }
svg.map { display: block; max-width: none; height: auto; } svg.map.fits { width: 100%; }
.map a { text-decoration: none; } .map a:focus-visible rect { stroke: var(--accent); stroke-width: 3; outline: none; }
.node rect { fill: var(--ground); stroke: var(--open); stroke-width: 1.5; }
.node.upheld rect { stroke: var(--good); stroke-width: 3; } .node.partially_upheld rect { stroke: var(--part); }
.node.refuted rect { stroke: var(--bad); stroke-dasharray: 7 4; stroke-width: 2; }
.node.uncertain rect { stroke-dasharray: 2 4; } .node.response rect { fill: var(--sheet); stroke: var(--rule); }
.node text { fill: var(--ink); font-size: 12px; } .node text.head { font-weight: 600; font-size: 11.5px; }
.node.upheld .head { fill: var(--good); } .node.partially_upheld .head { fill: var(--part); }
.node.refuted .head { fill: var(--bad); } .node.response .head, .node.uncertain .head { fill: var(--soft); }
.edge { fill: none; stroke-width: 1.6; } .edge.attack { stroke: var(--bad); }
.edge.support { stroke: var(--good); stroke-dasharray: 5 4; }
.tip.attack { fill: var(--bad); } .tip.support { fill: none; stroke: var(--good); stroke-width: 1.6; }
.label { font-size: 10.5px; paint-order: stroke; stroke: var(--sheet); stroke-width: 4px; }
.label.attack { fill: var(--bad); } .label.support { fill: var(--good); }
.turn { background: var(--sheet); border: 1px solid var(--rule); border-left: 5px solid var(--other);
  border-radius: 8px; padding: .85rem 1.25rem 1rem; margin: 1rem 0; }
.turn.pro { border-left-color: var(--pro); } .turn.con { border-left-color: var(--con); }
.turn.judge { border-left-color: var(--judge); }
.turn > header { display: flex; flex-wrap: wrap; gap: .15rem .8rem; align-items: baseline; padding: 0; max-width: none;
  font-size: .88rem; color: var(--soft); }
.turn > header b { font-size: 1rem; color: var(--ink); } .turn.pro > header b { color: var(--pro); }
.turn.con > header b { color: var(--con); } .turn.judge > header b { color: var(--judge); }
.turn > header a { margin-left: auto; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 0; max-width: 46rem; }
.turn ul.points { list-style: none; padding: .6rem 0 0; margin: .7rem 0 0; border-top: 1px dashed var(--rule);
  font-size: .88rem; max-width: none; } .points li { margin: .2rem 0; }
.note { border-left: 3px solid var(--rule); padding-left: 1rem; margin: 1rem 0; font-size: .92rem; }
.note h4 { margin: 0 0 .2rem; font-size: .88rem; color: var(--soft); }
.bar { display: inline-block; height: .55rem; border-radius: 3px; background: var(--accent); vertical-align: middle;
  margin-right: .5rem; }
@media (max-width: 40rem) { dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: .6rem; }
  .advice { font-size: 1.12rem; padding: .9rem 1rem; } body { font-size: 1rem; } }
@media print {
  :root { --ground: #fff; --sheet: #fff; --ink: #000; --soft: #444; --rule: #bbb; --accent: #000; --pro: #1f5fa8;
    --con: #b3372f; --judge: #6d5400; --good: #1d6b3a; --part: #8a5a00; --bad: #a3312a; --open: #444;
    --warn-ground: #fff; --heat: 36, 82, 122; --heat-ink: #fff; }
  @page { margin: 16mm 14mm; } body { font-size: 10pt; } header, main, footer { max-width: none; padding: 0; }
  nav { display: none; } h2 { break-after: avoid; margin-top: 1.6rem; } h3, caption { break-after: avoid; }
  .frame, .maps { overflow: visible; max-height: none; border: 0; padding: 0; } table { font-size: 7.6pt; }
  table.trace, table.moved { min-width: 0; } table.trace td, table.moved td { min-width: 0 !important; }
  th, td { padding: .25rem .35rem; } thead th { white-space: normal; }
  tr, .advice, .banner { break-inside: avoid; }
  svg.map { width: 100%; max-height: 200mm; } .maps { break-inside: avoid; }
  .turn { break-inside: auto; } .turn > header { break-after: avoid; }
  a { text-decoration: none; color: inherit; }
  td.mark, .chip { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
