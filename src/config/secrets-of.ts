import type { Config } from "./config.ts"

/** Every secret of the configuration, to be blotted out of whatever is printed. */
export function secretsOf(config: Config): string[] {
  const { slack, docs, store } = config
  const stores = store.kind === "server" ? [store.url] : store.kind === "cluster" ? store.urls : []
  const passwords = stores.flatMap((url) => passwordIn(url.reveal()))
  return [
    slack.botToken.reveal(),
    slack.mode === "http" ? slack.signingSecret.reveal() : slack.appToken.reveal(),
    ...docs.projects.map(({ apiKey }) => apiKey.reveal()),
    ...passwords,
  ]
}

function passwordIn(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { password } = new URL(url)
  return password ? [password, decodeURIComponent(password)] : []
}
