import { expect, test } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { countCalls, instrumentSlack } from "../../src/operating/metrics/count-calls.ts"
import { createMetrics } from "../../src/operating/metrics/define-metrics.ts"
import { createSlackState, type Identity } from "../../src/slack/identity.ts"
import { SlackError } from "../../src/slack/slack-error.ts"

const ME: Identity = {
  team: "T1",
  teamName: "Acme",
  enterprise: undefined,
  user: "UBOT",
  userName: "docs_agent",
  bot: undefined,
  url: undefined,
  scopes: [],
}

/** Sets up a token check with a Slack that accepts or refuses, and records the log. */
function listen(slack: { refuses?: string }) {
  const said: string[] = []
  const log = createLog("info", [], { write: (line) => void said.push(JSON.parse(line).msg) })
  const state = createSlackState(async () => {
    const { refuses: code } = slack
    state.learn(code ?? "ok")
    if (code) throw new SlackError({ method: "auth.test", verdict: "give_up", code })
    return ME
  })
  return { said, log, state, ask: state.tokenCheck(log, "Copy it again.") }
}

const REFUSES = "Slack rejected SLACK_BOT_TOKEN"
const KNOWS = "signed in to Slack"

test("a refused token is told once, also when another call heard of it first", async () => {
  const slack = { refuses: "token_revoked" }
  const { said, state, ask } = listen(slack)
  state.learn("token_revoked")
  for (let pass = 0; pass < 5; pass++) await ask()
  expect(said).toEqual([REFUSES])
})

test("the end of a refusal is told once, and so is the first word of a Slack that was away", async () => {
  const slack: { refuses?: string } = { refuses: "unreachable" }
  const { said, state, ask } = listen(slack)
  await ask()
  expect(said).toEqual([])
  delete slack.refuses
  await ask()
  expect(said).toEqual([KNOWS])

  slack.refuses = "token_revoked"
  state.learn("token_revoked")
  await ask()
  delete slack.refuses
  await ask()
  await ask()
  expect(said).toEqual([KNOWS, REFUSES, KNOWS])
})

test("a start that Slack answered is not followed by the same question at once", async () => {
  let asked = 0
  const state = createSlackState(async () => {
    asked += 1
    return ME
  })
  await state.refresh()
  const check = state.tokenCheck(listen({}).log, "Copy it again.")
  await check()
  expect(asked).toBe(1)
  await check()
  expect(asked).toBe(2)
})

test("a call that fails all night leaves a line for each doubling", () => {
  const { said, log } = listen({})
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
