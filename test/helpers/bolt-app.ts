import { App, HTTPReceiver, LogLevel } from "@slack/bolt"
import type { LocalSlack } from "../../src/sandbox/slack/local-slack.ts"

export const signingSecret = "local-signing-secret"
export const botToken = "xoxb-local"
export const appToken = "xapp-local"

/** A real Bolt app on a free port, to which `slack` delivers over signed HTTP. */
export async function startBoltApp(slack: LocalSlack, listen: (app: App) => void): Promise<App> {
  const receiver = new HTTPReceiver({ signingSecret, port: 0, logLevel: LogLevel.ERROR })
  const app = new App({
    receiver,
    token: botToken,
    logLevel: LogLevel.ERROR,
    convoStore: false,
    clientOptions: { slackApiUrl: slack.apiUrl },
  })
  listen(app)
  const server = await app.start(0)
  const address = "address" in server ? server.address() : null
  if (address === null || typeof address === "string") throw new Error("Bolt listens on no port")
  slack.setEventsUrl(`http://127.0.0.1:${address.port}/slack/events`)
  return app
}
