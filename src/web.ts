import { App, type Receiver } from "@slack/bolt"
import { type Asking, acceptTyped } from "./asking/accept-request.ts"
import { answerCommandWords } from "./asking/answer-verbs.ts"
import { offerForm, submitForm } from "./asking/ask-form.ts"
import { answerForget, askToForget } from "./asking/forget-me.ts"
import { jobClicks } from "./asking/job-clicks.ts"
import { hearMessage } from "./asking/mentions-and-dms.ts"
import type { Clicks } from "./asking/work-after-ack.ts"
import type { Services } from "./compose.ts"
import { answerLook } from "./following/look-for-pull-request.ts"
import { stopThread } from "./following/stop-button.ts"
import type { Routes } from "./lib/http-server.ts"
import { registerListeners } from "./listeners/register.ts"
import type { On, Verbs } from "./listeners/verbs.ts"
import { prepareAudit } from "./operating/audit-csv.ts"
import { createLastSeen } from "./operating/doctor/check-slack.ts"
import { examine } from "./operating/doctor/run-doctor.ts"
import { adminClicks, doctorFor } from "./operating/resume-and-drop.ts"
import { addressReview } from "./pulls/address-review.ts"
import { overviewOf, publishHome } from "./pulls/find-own-jobs.ts"
import { answerResults } from "./pulls/results-channels.ts"
import { slackLogger } from "./slack/client.ts"
import { createHttpReceiver } from "./slack/http-receiver.ts"
import { createIntake, type Intake } from "./slack/intake.ts"
import type { Click } from "./slack/payloads.ts"
import { SocketReceiver } from "./slack/socket-receiver.ts"
import { noteRequested } from "./visitors/requested-gaps.ts"
import { answerReport, shareOutcomes } from "./visitors/requests-report.ts"
import { docsVisitors, runMeant } from "./visitors/run-command.ts"
import { gapClicks } from "./visitors/show-gaps.ts"
import { reportClicks } from "./visitors/show-report.ts"

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

/** Binds what listeners have done for people to the contexts of the requests' connection. */
export function composeVerbs(services: Services): Verbs {
  const { config, log, front, work, frontVisitors, github, requestRedis } = services
  const { callCounts } = services
  const asking: Asking = {
    context: front,
    overview: (profile, only) => overviewOf(front, profile, only),
    noteRequested: (...of) => noteRequested(front.store, ...of),
  }
  const doctor = doctorFor(() => examine(config, requestRedis, log, callCounts))
  return {
    ask: {
      typed: (incoming, typed) => acceptTyped(asking, incoming, typed),
      words: (command, typed) => answerCommandWords(asking, command, typed),
      message: (event) => hearMessage(asking, event),
      openForm: (opener, given, about) => offerForm(front, opener, given, about),
      form: (form) => submitForm(asking, form),
    },
    stop: (event) => stopThread(front, event),
    openHome: (event) => publishHome(front, event),
    visitors: (command) => docsVisitors(frontVisitors, command),
    outcomes: {
      report: (command) => answerReport(frontVisitors, command),
      results: (command) => answerResults(front, command),
    },
    admins: {
      doctor: (command) => doctor(front, command),
      audit: (command) => prepareAudit(front, command),
    },
    forget: (command) => askToForget(work, command),
    buttons: {
      ...bound(jobClicks, asking),
      look_again: (click) => answerLook(asking, click),
      address_review: (click) => addressReview(asking, github, click),
      ...bound(reportClicks, frontVisitors),
      ...bound(gapClicks, frontVisitors),
      share_outcomes: (click) => shareOutcomes(frontVisitors, click),
      visitors_meant: (click) => runMeant(frontVisitors, click),
      ...bound(adminClicks, front),
      // Waits for Redis on the worker's connection, so that an outage does not end it halfway.
      forget_me: (click) => answerForget(work, click),
      keep_me: (click) => answerForget(work, click),
    },
  }
}

function bound<Room>(clicks: Clicks<Room>, room: Room): Verbs["buttons"] {
  const pressed = Object.entries(clicks).map(([action, use]) => {
    const press: On<Click> = (click) => use(room, click)
    return [action, press]
  })
  return Object.fromEntries(pressed)
}
