import { expect, test } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { countCalls, instrumentSlack } from "../../src/operating/metrics/count-calls.ts"
import { createMetrics } from "../../src/operating/metrics/define-metrics.ts"
import { createSlackState, type Identity } from "../../src/slack/identity.ts"
import { SlackError } from "../../src/slack/slack-error.ts"

/** Sets up a token check with a Slack that gives these answers, and records the log. */
function listen(...answers: string[]) {
  const said: string[] = []
  const log = createLog("info", [], { write: (line) => void said.push(JSON.parse(line).msg) })
  const state = createSlackState(async () => {
    const code = answers.shift() ?? "ok"
    state.learn(code)
    if (code !== "ok") throw new SlackError({ method: "auth.test", verdict: "give_up", code })
    return { team: "T1", user: "UBOT" } as Identity
  })
  return { answers, said, log, state }
}

const REFUSES = "Slack rejected SLACK_BOT_TOKEN"
const KNOWS = "signed in to Slack"

test.each([
  ["a refused token is told once while it lasts", Array(5).fill("token_revoked"), [REFUSES]],
  ["a Slack that is away refuses no token", ["unreachable"], []],
  ["the first word of a Slack that was away is told", ["unreachable", "ok"], [KNOWS]],
  ["an end is told once", ["ok", "token_revoked", "ok", "ok"], [KNOWS, REFUSES, KNOWS]],
])("%s, also if another call heard of it first", async (_, codes, lines) => {
  const { answers, said, log, state } = listen(...codes)
  const ask = state.tokenCheck(log, "Copy it again.")
  while (answers[0]) {
    if (answers[0] !== "ok") state.learn(answers[0])
    await ask()
  }
  expect(said).toEqual(lines)
})

test("a start that Slack answered is not followed by the same question at once", async () => {
  const { answers, log, state } = listen("ok", "ok", "ok")
  await state.refresh()
  const check = state.tokenCheck(log, "Copy it again.")
  await check()
  expect(answers).toHaveLength(2)
  await check()
  expect(answers).toHaveLength(1)
})

test("a call that fails all night leaves a line for each doubling", () => {
  const { said, log } = listen()
  const metrics = createMetrics()
  const watch = instrumentSlack(log, metrics, countCalls(metrics))
  for (let call = 0; call < 100; call++) watch.called("auth.test", "token_revoked")
  expect(said).toHaveLength(7)
  watch.called("auth.test", "ok")
  watch.called("auth.test", "token_revoked")
  watch.called("auth.test", "no_answer")
  watch.called("chat.update", "no_answer")
  expect(said).toHaveLength(10)
})
