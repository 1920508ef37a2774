/** Where an address leads from a page that opens nothing outside of this machine. */
export type LinkTarget =
  | { readonly kind: "message"; readonly channel: string; readonly ts: string }
  /** Served on this machine, such as the local service's pages. */
  | { readonly kind: "local" }
  | { readonly kind: "outside" }

/** The form of `chat.getPermalink`: the time of the message without its dot, behind a `p`. */
const PERMALINK = /^\/archives\/([A-Z0-9]+)\/p(\d+)(\d{6})$/
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Undefined for an address of a kind that Slack does not link. */
export function linkTarget(url: string): LinkTarget | undefined {
  if (/^(?:mailto|tel):/i.test(url)) return { kind: "outside" }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const { hostname, pathname } = new URL(url)
  if (THIS_MACHINE.test(hostname)) return { kind: "local" }
  const [, channel, seconds, micros] = PERMALINK.exec(pathname) ?? []
  if (!hostname.endsWith(".slack.com") || channel === undefined) return { kind: "outside" }
  return { kind: "message", channel, ts: `${seconds}.${micros}` }
}
