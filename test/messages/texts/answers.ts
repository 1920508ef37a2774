import { formLate } from "../../../src/messages/ask-form-view.ts"
import * as own from "../../../src/messages/private-answers.ts"
import * as questions from "../../../src/messages/questions.ts"
import * as refusedActions from "../../../src/messages/refused-actions.ts"
import {
  type NotNowAction,
  nothingToDo,
  WHILE_OPEN,
} from "../../../src/messages/refused-actions.ts"
import * as refusals from "../../../src/messages/refused-requests.ts"
import { NOT_TURNED_ON, unreadFilesMessage } from "../../../src/messages/refused-requests.ts"
import type { Message } from "../../../src/slack/message-types.ts"
import { NOT_SHARED } from "../../../src/visitors/report-unavailable.ts"
import { ADA, aJob, BEN, BOT, CARD, CLEO, FULL, LATE_FOR, PULL, REQUEST, WORDS } from "./facts.ts"

const WHERE = { channel: "C1", botUser: BOT, admins: [] }
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
      Object.keys(WHILE_OPEN).flatMap((action) =>
        Object.entries(LATE_FOR).map(([when, job]) => [
          `${action} while ${when}`,
          nothingToDo(action as NotNowAction, { job, gitHubHost: "github.com", at: CARD }),
        ]),
      ),
    ),
  },
  "Answers that are the same for everybody": Object.fromEntries(
    Object.keys(own.ANSWERS).map((what) => [what, own.say(what as keyof typeof own.ANSWERS)]),
  ),
  Refusals: {
    ...Object.fromEntries(
      (["channel", "user", "guest", "stranger", "bot", "unclear"] as const).map((refusal) => [
        refusal,
        refusals.refusedAccess(refusal, { user: ADA, admins: [CLEO] }, REQUEST),
      ]),
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
      NOT_TURNED_ON,
    ),
    ...Object.fromEntries(
      Object.entries({ NOT_SHARED, NOT_TURNED_ON }).map(([name, words]) => [
        `unconfirmed, ${name}`,
        refusals.cannotPostHere({ code: "no_answer", verdict: "unknown" }, WHERE, words),
      ]),
    ),
    ...Object.fromEntries(
      [refusals.BROKEN_HERE, "missing_scope", "is_archived"].map((code) => [
        `cannot post, ${code}`,
        refusals.cannotPost(code, ASK_CLEO),
      ]),
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
    "files of another kind": unreadFilesMessage(
      [{ id: "F1", name: "screen.png", why: "not_text" }],
      [],
    ),
    "files it may not read": unreadFilesMessage(
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
    cancelled: refusedActions.stoppedMessage(["cancelled"]),
    several: refusedActions.stoppedMessage(["cancelled", "cancelled", "muted"]),
    "somebody else's": refusedActions.stoppedMessage([{ owners: [ADA, BEN] }]),
    nothing: refusedActions.stoppedMessage([]),
  },
}
