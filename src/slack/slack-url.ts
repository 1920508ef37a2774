import { SlackError } from "../errors/slack-error.ts"

/** Where Slack answers; the second is GovSlack (docs.slack.dev, "Developing apps for GovSlack"). */
const DOMAINS = [".slack.com", ".slack-gov.com"]

/**
 * Is this an address of Slack's, or of whatever stands in for its Web API here? Payloads name addresses
 * to answer to, and what is sent there is meant for one person: a payload that was not Slack's must not
 * choose who gets it, nor make the bot call machines that only it can reach.
 */
export function isSlackUrl(url: string, apiUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const { origin, protocol, hostname, port, username, password } = new URL(url)
  if (username || password) return false
  if (origin === new URL(apiUrl).origin) return true
  return protocol === "https:" && port === "" && DOMAINS.some((domain) => hostname.endsWith(domain))
}

/** @throws SlackError `foreign_url` for an address that is not Slack's: nothing is sent there */
export function onlyToSlack(
  method: string,
  url: string,
  { slackApiUrl }: { slackApiUrl: string },
): void {
  if (!isSlackUrl(url, slackApiUrl))
    throw new SlackError({ method, verdict: "give_up", code: "foreign_url" })
}
