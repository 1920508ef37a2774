/** Destination of a link on a page that opens nothing outside this machine. */
export type LinkTarget =
  | { readonly kind: "message"; readonly channel: string; readonly ts: string }
  /** Address on this machine, such as the local service's pages. */
  | { readonly kind: "local" }
  | { readonly kind: "outside" }

/** Format of `chat.getPermalink`: `p` and the message's time without its dot. */
const PERMALINK = /^\/archives\/([A-Z0-9]+)\/p(\d+)(\d{6})$/
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Returns the destination of an address; undefined for a kind that Slack doesn't link. */
export function linkTarget(url: string): LinkTarget | undefined {
  if (/^(?:mailto|tel):/i.test(url)) return { kind: "outside" }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const { hostname, pathname } = new URL(url)
  if (THIS_MACHINE.test(hostname)) return { kind: "local" }
  const [, channel, seconds, micros] = PERMALINK.exec(pathname) ?? []
  if (!hostname.endsWith(".slack.com") || channel === undefined) return { kind: "outside" }
  return { kind: "message", channel, ts: `${seconds}.${micros}` }
}
