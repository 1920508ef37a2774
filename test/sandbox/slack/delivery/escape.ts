/** Escapes the only three characters that Slack escapes in what people type. */
export function escapeTyped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
