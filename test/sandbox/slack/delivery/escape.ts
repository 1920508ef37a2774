/** Slack escapes these three in what people type, and nothing else. */
export function escapeTyped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
