// How a page of results looks. No script, no font and no picture from elsewhere.
#pragma once

namespace pivotscope {

inline constexpr const char* page_style = R"(
:root { --page: #f6f8fa; --card: #ffffff; --ink: #1f2328; --dim: #59636e; --rule: #d8dee4; --accent: #0a5c9c;
  --good: #116329; --good-back: #dafbe1; --short: #8a3b00; --short-back: #fff1e5; --plain-back: #eef1f4; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --card: #151b23; --ink: #e6edf3; --dim: #9ea7b3;
  --rule: #30363d; --accent: #6cb6ff; --good: #7ee2a8; --good-back: #12361f; --short: #ffb77c; --short-back: #402408;
  --plain-back: #212830; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 Inter, "Helvetica Neue", Helvetica, Arial,
  sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 6px; }
h2 { font-size: 20px; line-height: 1.3; margin: 0 0 4px; }
h3 { font-size: 15px; margin: 22px 0 6px; }
p { margin: 0 0 10px; max-width: 80em; }
a { color: var(--accent); }
.dim { color: var(--dim); }
section, .toc, .unread { background: var(--card); border: 1px solid var(--rule); border-radius: 6px; padding: 20px 22px;
  margin-top: 22px; }
.unread { border-left: 4px solid var(--short); }
.plot { margin: 14px 0 4px; }
.plot svg { display: block; width: 100%; height: auto; max-width: 960px; }
.plot figcaption { color: var(--dim); font-size: 13px; margin-top: 4px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--dim); vertical-align: bottom; white-space: nowrap; }
th, td { padding: 5px 10px 5px 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
td.n, th.n { text-align: right; white-space: nowrap; }
td.row { white-space: nowrap; }
td.again { border-bottom-color: transparent; }
code { font: 12.5px/1.45 "JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
td code { overflow-wrap: anywhere; }
td.config { min-width: 19em; }
pre { overflow-x: auto; background: var(--plain-back); border-radius: 4px; padding: 10px 12px; margin: 6px 0; }
.why { display: block; color: var(--dim); font-size: 12.5px; max-width: 34em; }
.verdict { display: inline-block; border-radius: 4px; padding: 0 7px; white-space: nowrap; background: var(--plain-back); }
.reached { color: var(--good); background: var(--good-back); }
.short { color: var(--short); background: var(--short-back); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; margin: 6px 0; }
dt { color: var(--dim); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--accent); margin-top: 14px; }
@media (max-width: 640px) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 8px; } }
@media print { body { background: none; } section, .toc, .unread { border: 0; padding: 0; } }
)";

// The plots' paint, which is for white paper, in the dark.
inline constexpr const char* dark_plot_style = R"(@media (prefers-color-scheme: dark) {{
.plot [fill="{paper}"] {{ fill: var(--card); }} .plot [stroke="{paper}"] {{ stroke: var(--card); }}
.plot [fill="{ink}"] {{ fill: var(--ink); }} .plot [fill="{dim}"] {{ fill: var(--dim); }}
.plot [stroke="{dim}"] {{ stroke: var(--dim); }} .plot [stroke="{rule}"] {{ stroke: var(--rule); }}
.plot [fill="#0072b2"] {{ fill: #3b82d6; }} .plot [stroke="#0072b2"] {{ stroke: #3b82d6; }}
.plot [fill="#000000"] {{ fill: #f0f0f0; }} .plot [stroke="#000000"] {{ stroke: #f0f0f0; }}
}}
)";

}  // namespace pivotscope
