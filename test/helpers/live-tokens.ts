/** Markup that the bot's own messages may contain: people, channels, dates, web addresses. */
const OURS =
  /^<(?:@[A-Z0-9]+|#[A-Z0-9]+|!date\^\d+\^[^<>|]*\|[^<>|]*|https?:\/\/[^<>|]+(?:\|[^<>|]*)?)>$/

/**
 * Returns everything in a payload that Slack would interpret and the bot did not intend: calls to a
 * channel or group, malformed mentions, unescaped brackets. Skips plain and rich text, which Slack
 * shows literally.
 */
export function liveTokens(payload: unknown): string[] {
  const found: string[] = []
  walk(payload, (text) => {
    const tokens = text.match(/<[^<>]*>?|>/g) ?? []
    found.push(...tokens.filter((token) => !OURS.test(token)))
    found.push(...(text.match(/@(?:here|channel|everyone)\b/gi) ?? []))
  })
  return found
}

function walk(node: unknown, onMrkdwn: (text: string) => void): void {
  if (Array.isArray(node)) for (const item of node) walk(item, onMrkdwn)
  if (typeof node !== "object" || node === null || Array.isArray(node)) return
  const { type, text } = node as { type?: unknown; text?: unknown }
  // A message has no type, and its text is mrkdwn too.
  if (typeof text === "string" && (type === "mrkdwn" || type === undefined)) onMrkdwn(text)
  for (const child of Object.values(node)) if (typeof child === "object") walk(child, onMrkdwn)
}
