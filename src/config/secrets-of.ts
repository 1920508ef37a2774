import type { Config } from "./config.ts"

/**
 * Every secret of the configuration, to be removed from whatever is printed or comes from outside.
 */
export function secretsOf(config: Config): string[] {
  const { slack, docs, store, github } = config
  const stores = store.kind === "server" ? [store.url] : store.kind === "cluster" ? store.urls : []
  const urls = [...stores.map((url) => url.reveal()), docs.baseUrl, slack.apiUrl]
  return [
    slack.botToken.reveal(),
    slack.mode === "http" ? slack.signingSecret.reveal() : slack.appToken.reveal(),
    ...docs.projects.map(({ apiKey }) => apiKey.reveal()),
    ...(github ? [github.token.reveal(), ...passwordIn(github.apiUrl)] : []),
    ...urls.flatMap(passwordIn),
  ]
}

function passwordIn(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { password } = new URL(url)
  return password ? [password, unescaped(password)] : []
}

function unescaped(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
