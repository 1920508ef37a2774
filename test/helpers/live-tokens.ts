/** What our own messages may hold between angle brackets: people, channels, moments, web addresses. */
const OURS =
  /^<(?:@[A-Z0-9]+|#[A-Z0-9]+|!date\^\d+\^[^<>|]*\|[^<>|]*|https?:\/\/[^<>|]+(?:\|[^<>|]*)?)>$/

/**
 * Everything in a payload for Slack that would come alive without being ours: a shout at the channel
 * or a group, a mention in a strange form, a bracket that was not escaped. Plain and rich text are
 * shown as they are and so hold nothing alive.
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
  // Of a message itself (it has no type) the text is mrkdwn too.
  if (typeof text === "string" && (type === "mrkdwn" || type === undefined)) onMrkdwn(text)
  for (const child of Object.values(node)) if (typeof child === "object") walk(child, onMrkdwn)
}
