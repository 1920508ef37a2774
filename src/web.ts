import { App, type Receiver } from "@slack/bolt"
import type { Services } from "./compose.ts"
import type { Routes } from "./lib/http-server.ts"
import type { AgentDeps } from "./listeners/deps.ts"
import { registerListeners } from "./listeners/register.ts"
import { createLastSeen } from "./operating/doctor/check-slack.ts"
import { examine } from "./operating/doctor/run-doctor.ts"
import { slackLogger } from "./slack/client.ts"
import { createHttpReceiver } from "./slack/http-receiver.ts"
import { createIntake, type Intake } from "./slack/intake.ts"
import { createSocketReceiver } from "./slack/socket-receiver.ts"

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
    // Bolt demands a token or `authorize`. With a token, it would create a client and call Slack.
    authorize: async () => ({}),
    // Without a token Bolt can't tell which messages are the bot's own; the listeners can.
    ignoreSelf: false,
  })
  registerListeners(app, agentDeps(services))
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
  const receiver = createSocketReceiver({ appToken, apiUrl, intake, log, apartMs, onDead })
  return { receiver, routes: {}, isConnected: receiver.isConnected }
}

function agentDeps(services: Services): AgentDeps {
  const { config, log, forgetting, front, frontVisitors, github, requestRedis } = services
  return {
    context: front,
    visitors: frontVisitors,
    forgetting,
    examine: () => examine(config, requestRedis, log),
    reviews: github,
  }
}
