import { App, type Receiver } from "@slack/bolt"
import type { Services } from "./compose.ts"
import { composeVerbs } from "./compose-verbs.ts"
import type { Routes } from "./lib/http-server.ts"
import { registerListeners } from "./listeners/register.ts"
import { createLastSeen } from "./operating/doctor/check-slack.ts"
import { slackLogger } from "./slack/client.ts"
import { createHttpReceiver } from "./slack/http-receiver.ts"
import { createIntake, type Intake } from "./slack/intake.ts"
import { SocketReceiver } from "./slack/socket-receiver.ts"

export type Web = ReturnType<typeof createWeb>

/**
 * Creates what receives Slack's requests: Bolt, its receiver and the listeners.
 * @param onDead called when the process should end and be restarted
 */
export function createWeb(services: Services, onDead: (reason: string) => void) {
  const { log } = services
  const intake = createIntake(log, services.secrets, services.slackMetrics.answered)
  const { receiver, routes, isConnected } = createReceiver(services, intake, onDead)
  const app = new App({
    receiver,
    logger: slackLogger(log),
    convoStore: false,
    // With a token, Bolt would create a client of its own. Until Slack has said who the bot is,
    // listeners get what it said itself, too, and find out.
    authorize: async () => {
      const { identity: me } = services.slack.state
      return me ? { botUserId: me.user, botId: me.bot } : {}
    },
  })
  registerListeners(app, services.front, composeVerbs(services))
  // Leaves the error to the intake, which decides whether Slack sends the payload again.
  app.error(async (error) => {
    throw error
  })
  return {
    routes,
    isConnected,
    start: () => receiver.start(),
    async stop(): Promise<void> {
      await receiver.stop()
      await intake.settled()
    },
  }
}

/** Creates the receiver for HTTP or Socket Mode, of which only the latter has a connection. */
function createReceiver(
  { config, log, front, requestRedis, slackMetrics }: Services,
  intake: Intake,
  onDead: (reason: string) => void,
): { receiver: Receiver; routes: Routes; isConnected?: () => boolean } {
  if (config.slack.mode === "http") {
    const lastSeen = createLastSeen(requestRedis)
    const receiver = createHttpReceiver(config.slack.signingSecret, intake, (signed) => {
      lastSeen.note(signed)
      if (!signed) slackMetrics.unsigned()
    })
    return { receiver, routes: { "POST /slack/events": receiver.handle } }
  }
  const { appToken, apiUrl } = config.slack
  const apartMs = front.settings.timing.socketsApartMs
  const receiver = new SocketReceiver({ appToken, apiUrl, intake, log, apartMs, onDead })
  return { receiver, routes: {}, isConnected: () => receiver.isConnected() }
}
