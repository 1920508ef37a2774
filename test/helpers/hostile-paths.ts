/** Paths, each visited at least once, that break careless tables, CSV files and messages. */
export const HOSTILE_PATHS = [
  "/search/<script>alert(1)</script>",
  '=HYPERLINK("http://x")',
  "<!channel>",
  `/${"long-path/".repeat(29)}123456789`,
  "/ja/はじめに/認証",
  "/ja/ガイド",
  "/compare?plan=a&plan=b&amp;c",
  '/faq/what-is-"this",\nreally',
  "/guides/*bold*_and_`code`",
]
