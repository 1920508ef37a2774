import { formLate } from "../../../src/messages/ask-form-view.ts"
import * as own from "../../../src/messages/private-answers.ts"
import * as questions from "../../../src/messages/questions.ts"
import * as refusedActions from "../../../src/messages/refused-actions.ts"
import * as refusals from "../../../src/messages/refused-requests.ts"
import type { Message } from "../../../src/slack/message-types.ts"
import { NOT_SHARED } from "../../../src/visitors/report-unavailable.ts"
import { ADA, aJob, BEN, BOT, CARD, CLEO, each, LATE_FOR, PULL, WORDS } from "./facts.ts"

type Late = refusedActions.NotNowAction
const WHERE = { channel: "C1", botUser: BOT, admins: [] }
const UNCONFIRMED = { code: "no_answer", verdict: "unknown" } as const
const FULL = { outcome: "full", most: 50 } as const
const REQUEST = { words: WORDS, draft: "d" }
const ASK_CLEO = { ...WHERE, admins: [CLEO] }

/** Answers to one person, most of them private. */
export const ANSWER_TEXTS: Record<string, Record<string, Message>> = {
  "Questions and private answers": {
    "asked before": questions.duplicateQuestion(REQUEST, CARD),
    unclear: questions.unclearQuestion({ words: "beta page", draft: "d" }),
    "which pull request": questions.pullQuestion(REQUEST, [aJob({ prLink: PULL })], "github.com"),
    cancelled: own.cancelledMessage(WORDS),
    "another command": own.unknownCommand("/docs-bot"),
    "somebody else's": refusedActions.notYours([ADA]),
    "the form came late": formLate("d"),
    ...Object.fromEntries(
      Object.keys(refusedActions.WHILE_OPEN).flatMap((action) =>
        Object.entries(LATE_FOR).map(([when, job]) => [
          `${action} while ${when}`,
          refusedActions.nothingToDo(action as Late, { job, gitHubHost: "github.com", at: CARD }),
        ]),
      ),
    ),
  },
  "Answers that are the same for everybody": each(Object.keys(own.ANSWERS), "", (what) =>
    own.say(what as keyof typeof own.ANSWERS),
  ),
  Refusals: {
    ...each(["channel", "user", "guest", "stranger", "bot", "unclear"] as const, "", (refusal) =>
      refusals.refusedAccess(refusal, { user: ADA, admins: [CLEO] }, REQUEST),
    ),
    "channel, to an admin": refusals.refusedAccess("channel", { user: CLEO, admins: [CLEO] }),
    "cannot post": refusals.cannotPost("not_in_channel", ASK_CLEO, REQUEST),
    "cannot post between people": refusals.cannotPost(
      "channel_not_found",
      { ...WHERE, channel: "D1" },
      REQUEST,
    ),
    "cannot post for another reason": refusals.cannotPost("msg_too_long", ASK_CLEO),
    "cannot share": refusals.cannotPostHere(
      { code: "not_in_channel", verdict: "give_up" },
      WHERE,
      NOT_SHARED,
    ),
    "cannot subscribe yet": refusals.cannotPostHere(
      { code: "ratelimited", verdict: "later" },
      WHERE,
      refusals.NOT_TURNED_ON,
    ),
    "unconfirmed, shared": refusals.cannotPostHere(UNCONFIRMED, WHERE, NOT_SHARED),
    "unconfirmed, turned on": refusals.cannotPostHere(UNCONFIRMED, WHERE, refusals.NOT_TURNED_ON),
    ...each([refusals.BROKEN_HERE, "missing_scope"], "cannot post, ", (code) =>
      refusals.cannotPost(code, ASK_CLEO),
    ),
    "queue full": refusals.fullMessage({ ...FULL, of: "waiting" }, [], REQUEST),
    "queue full, long request": refusals.fullMessage({ ...FULL, of: "waiting" }, [], {
      ...REQUEST,
      words: "long ".repeat(601),
    }),
    "too many follow-ups": refusals.fullMessage({ ...FULL, of: "follow_ups" }, [], REQUEST),
    "follow-ups too long": refusals.fullMessage(
      { ...FULL, of: "bytes", most: 185_000 },
      [],
      REQUEST,
    ),
    "no room": refusals.fullMessage({ outcome: "no_room" }, [CLEO], REQUEST),
    "no such project": refusals.unknownProjectMessage("apy", ["api", "docs"], REQUEST),
    "files of another kind": own.unreadFilesMessage(
      [{ id: "F1", name: "screen.png", why: "not_text" }],
      [],
    ),
    "files it may not read": own.unreadFilesMessage(
      [
        { id: "F1", name: "a.md", why: "no_permission" },
        { id: "F2", why: "no_room" },
      ],
      [CLEO],
    ),
  },
  Troubles: {
    disconnected: refusals.troubleMessage("disconnected", [CLEO], "token_revoked", REQUEST),
    unanswerable: refusals.troubleMessage("unanswerable", [CLEO], "invalid_blocks"),
    broken: own.quoting(refusals.troubleMessage("broken", [CLEO]), WORDS),
    "a review that GitHub does not show": refusals.troubleMessage("review_unread", [CLEO]),
  },
  "Slack's Stop button": {
    several: refusedActions.stoppedMessage(["cancelled", "cancelled", "muted"]),
    "somebody else's": refusedActions.stoppedMessage([{ owners: [ADA, BEN] }]),
    nothing: refusedActions.stoppedMessage([]),
  },
}
