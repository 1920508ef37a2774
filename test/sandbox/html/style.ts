/** Style of the repository pages: self-contained, light and dark, for widths from 320 px. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c2430, #e4e9f0); --muted: light-dark(#505b69, #9aa7b6);
  --line: light-dark(#d9dfe7, #303a47); --page: light-dark(#ffffff, #10151c);
  --panel: light-dark(#f5f7fa, #171e27); --badge: light-dark(#e6ebf1, #27313d);
  --open: light-dark(#16713b, #23764a); --accent: light-dark(#5b3fd6, #7258e0);
  --added: light-dark(#e3f6e8, #122b1c); --added-mark: light-dark(#bfe8ca, #173f27);
  --removed: light-dark(#fdeaea, #331a1d); --removed-mark: light-dark(#f7cccc, #562a2f);
  --plus: light-dark(#16713b, #5fc98a); --minus: light-dark(#b42a31, #f2898f);
  --hunk: light-dark(#e8f1fb, #16263a);
  --notice: light-dark(#fff8e1, #2a2413); --notice-line: light-dark(#e3c76a, #6b5a24);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.bar { background: var(--panel); border-bottom: 1px solid var(--line); }
.bar, main, footer { padding: 12px max(16px, calc(50vw - 480px)); }
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
h2 { font-size: 16px; margin: 0 0 10px; }
.meta { display: flex; gap: 8px; flex-wrap: wrap; align-items: center; color: var(--muted); }
.pill {
  background: var(--open); color: #ffffff; border-radius: 99px; padding: 3px 12px;
  font-size: 13px; font-weight: 600;
}
.pill.merged { background: var(--accent); color: #fff; }
.pill.closed { background: var(--minus); color: var(--page); }
.pill.draft { background: var(--muted); color: var(--page); }
.decisions { display: flex; gap: 8px; flex-wrap: wrap; margin-block: 16px; }
.decisions form { display: flex; gap: 8px; }
.decisions button, .decisions input {
  font: inherit; font-size: 14px; padding: 6px 14px; border-radius: 8px;
  border: 1px solid var(--line); background: var(--panel); color: var(--text);
}
.decisions button { cursor: pointer; }
code, pre, .diff { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--badge); border-radius: 5px; padding: 2px 6px; font-size: 12.5px; overflow-wrap: anywhere; }
section { margin-top: 24px; }
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
  h1 { font-size: 21px; }
}
`
