/** Style of the repository pages: self-contained, light and dark, for widths from 320 px. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1c2430; --muted: #505b69; --line: #d9dfe7; --page: #ffffff; --panel: #f5f7fa;
  --link: #0b5cad; --open: #16713b; --open-text: #ffffff; --badge: #e6ebf1;
  --added: #e3f6e8; --added-mark: #bfe8ca; --removed: #fdeaea; --removed-mark: #f7cccc;
  --hunk: #e8f1fb; --accent: #5b3fd6; --plus: #16713b; --minus: #b42a31;
  --notice: #fff8e1; --notice-line: #e3c76a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e9f0; --muted: #9aa7b6; --line: #303a47; --page: #10151c; --panel: #171e27;
    --link: #7fb8f5; --open: #23764a; --open-text: #ffffff; --badge: #27313d;
    --added: #122b1c; --added-mark: #173f27; --removed: #331a1d; --removed-mark: #562a2f;
    --hunk: #16263a; --accent: #7258e0; --plus: #5fc98a; --minus: #f2898f;
    --notice: #2a2413; --notice-line: #6b5a24;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
.bar { background: var(--panel); border-bottom: 1px solid var(--line); }
.bar, main, footer { padding: 12px max(16px, calc(50vw - 580px)); }
.bar { display: flex; gap: 10px; align-items: center; flex-wrap: wrap; }
.logo {
  width: 26px; height: 26px; border-radius: 7px; background: var(--accent); color: #fff;
  display: grid; place-items: center; font-weight: 700; font-size: 13px;
}
.crumbs { font-size: 15px; overflow-wrap: anywhere; }
.crumbs b { font-weight: 600; }
main { padding-top: 24px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 10px; font-weight: 600; overflow-wrap: anywhere; }
h1 span { color: var(--muted); font-weight: 300; }
.preview { white-space: pre-wrap; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0 0 10px; }
.meta { display: flex; gap: 8px; flex-wrap: wrap; align-items: center; color: var(--muted); }
.pill {
  background: var(--open); color: var(--open-text); border-radius: 99px; padding: 3px 12px;
  font-size: 13px; font-weight: 600;
}
.pill.merged { background: var(--accent); color: #fff; }
.pill.closed { background: var(--minus); color: var(--page); }
.pill.draft { background: var(--muted); color: var(--page); }
.decisions { display: flex; gap: 8px; flex-wrap: wrap; margin-bottom: 16px; }
.decisions form { display: flex; gap: 8px; }
.decisions button, .decisions input {
  font: inherit; font-size: 14px; padding: 6px 14px; border-radius: 8px;
  border: 1px solid var(--line); background: var(--panel); color: var(--text);
}
.decisions button { cursor: pointer; }
code, pre, .diff { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--badge); border-radius: 5px; padding: 2px 6px; font-size: 12.5px; overflow-wrap: anywhere; }
nav { display: flex; gap: 4px; border-bottom: 1px solid var(--line); margin: 20px 0; overflow-x: auto; }
nav a { padding: 8px 14px; color: var(--text); border-bottom: 2px solid transparent; white-space: nowrap; }
nav a:first-child { border-color: var(--accent); font-weight: 600; }
.count { background: var(--badge); border-radius: 99px; padding: 1px 8px; font-size: 12px; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 250px; gap: 28px; }
.card { border: 1px solid var(--line); border-radius: 10px; margin-bottom: 16px; overflow: hidden; }
.card > header {
  background: var(--panel); border-bottom: 1px solid var(--line); padding: 9px 14px;
  color: var(--muted); font-size: 14px; display: flex; gap: 8px; flex-wrap: wrap; align-items: center;
}
.card > header b { color: var(--text); }
.card > div { padding: 14px; }
.face {
  width: 24px; height: 24px; border-radius: 50%; background: var(--accent); color: #fff;
  display: inline-grid; place-items: center; font-size: 10px; font-weight: 700;
}
.face.person { background: #b5541c; }
.bot { border: 1px solid var(--line); border-radius: 99px; padding: 0 7px; font-size: 11px; }
blockquote {
  margin: 0; padding: 2px 14px; border-left: 3px solid var(--line); color: var(--muted);
  white-space: pre-wrap; overflow-wrap: anywhere;
}
.step { color: var(--muted); font-size: 14px; margin: 0 0 16px 14px; padding-left: 16px; border-left: 2px solid var(--line); overflow-wrap: anywhere; }
.notice {
  margin: 0 0 16px; padding: 10px 14px; border: 1px solid var(--notice-line); border-radius: 10px;
  background: var(--notice);
}
aside { font-size: 14px; }
aside dt { color: var(--muted); font-size: 13px; }
aside dd { margin: 2px 0 14px; overflow-wrap: anywhere; }
.stat { margin-left: auto; font-size: 13px; }
.plus { color: var(--plus); font-weight: 600; }
.minus { color: var(--minus); font-weight: 600; }
.scroll { overflow-x: auto; padding: 0 !important; }
.diff { border-collapse: collapse; width: 100%; font-size: 12.5px; line-height: 1.6; }
.diff td { padding: 0 10px; white-space: pre; vertical-align: top; }
.diff .n { width: 1%; min-width: 42px; text-align: right; color: var(--muted); user-select: none; }
.diff .hunk td { background: var(--hunk); color: var(--muted); padding: 4px 10px; }
.diff .added td { background: var(--added); }
.diff .added .n { background: var(--added-mark); }
.diff .removed td { background: var(--removed); }
.diff .removed .n { background: var(--removed-mark); }
footer { color: var(--muted); font-size: 13px; border-top: 1px solid var(--line); margin-top: 24px; }
@media (max-width: 720px) {
  .columns { grid-template-columns: minmax(0, 1fr); gap: 4px; }
  h1 { font-size: 21px; }
}
`
