import { App, HTTPReceiver, LogLevel } from "@slack/bolt"
import type { LocalSlack } from "../sandbox/slack/index.ts"

export const signingSecret = "local-signing-secret"
export const botToken = "xoxb-local"
export const appToken = "xapp-local"

/** Running Bolt app; `stop` waits for its connections to close. */
export interface RunningApp {
  readonly app: App
  stop(): Promise<void>
}

/** Starts a real Bolt app on a free port, to which `slack` delivers over signed HTTP. */
export async function startHttpApp(
  slack: LocalSlack,
  listen: (app: App) => void,
): Promise<RunningApp> {
  const receiver = new HTTPReceiver({ signingSecret, port: 0, logLevel: LogLevel.ERROR })
  const app = createApp(slack, receiver)
  listen(app)
  const server = await app.start(0)
  const address = "address" in server ? server.address() : null
  if (address === null || typeof address === "string") throw new Error("Bolt listens on no port")
  slack.setEventsUrl(`http://127.0.0.1:${address.port}/slack/events`)
  return {
    app,
    async stop() {
      await app.stop()
    },
  }
}

function createApp(slack: LocalSlack, receiver: HTTPReceiver): App {
  return new App({
    receiver,
    token: botToken,
    logLevel: LogLevel.ERROR,
    convoStore: false,
    clientOptions: { slackApiUrl: slack.apiUrl },
  })
}
