import { afterEach, expect, vi } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { NO_SECRETS, secret } from "../../src/lib/secrets.ts"
import { createIntake } from "../../src/slack/intake.ts"
import { SocketReceiver } from "../../src/slack/socket-receiver.ts"
import { metricsOf, readyz } from "../helpers/of-itself.ts"
import { FAST_TIMING, useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ mode: "socket" })
afterEach(() => void vi.useRealTimers())

test("OPS-16: the main job, a mention and a click work without a public URL", async (h) => {
  const asked = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "over the socket")
  expect(asked.shown).toBeUndefined()
  const card = await h.botSays(/Working on it/)
  await h.slack.as(ADA).click(card, "mute")
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const posted = await h.slack.as(ADA).mention(DOCS, "and by a mention")
  await h.botSays(/request is ready/, { thread: posted.ts })
  expect((await readyz(h.bot)).status).toBe(200)
  expect(await metricsOf(h.bot)).toContain("\ndocs_agent_socket_connected 1\n")
})

test("a command that is in hand is answered before a process that stops disconnects", async (h) => {
  const slow = h.slack.fail({ kind: "slow", ms: 500, method: "users.info", times: 1 })
  const asking = h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
  await expect.poll(() => slow.hits).toBe(1)
  await h.restartBot()
  expect((await asking).shown?.text).toMatch(/No recent requests/)
})

test("a notice from Slack that holds no event leaves the process running", async () => {
  const h = await testBed({ env: { LOG_LEVEL: "warn" } })
  const payload = { type: "app_rate_limited", minute_rate_limited: 1_795_960_800 }
  const told = h.slack.redeliver({ kind: "events_api", payload })
  await expect.poll(() => h.logged.map(({ msg }) => msg)).toContain("skipped a payload from Slack")
  expect((await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")).error).toBeUndefined()
  h.slack.sockets.cut()
  expect((await told).failure).toBe("connection_failed")
})

test("Socket Mode holds more than one connection, so that a refresh leaves no hole", async (h) => {
  await h.slack.until(({ sockets }) => sockets.open === 2)
  // The connection that Slack refreshes cannot come back before the test has used the other one.
  const method = "apps.connections.open"
  const refusing = h.slack.fail({ kind: "error", error: "internal_error", method })
  h.slack.sockets.disconnect("refresh_requested", 1)
  await expect.poll(() => refusing.hits).toBeGreaterThan(0)
  expect(h.slack.sockets.open).toBe(1)
  expect((await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")).error).toBeUndefined()
  expect((await readyz(h.bot)).status).toBe(200)
  refusing.clear()
  await h.slack.until(({ sockets }) => sockets.open === 2)
})

test("the second one is opened later, so that Slack does not refresh both at once", async () => {
  const h = await testBed({ timing: { ...FAST_TIMING, socketsApartMs: 3_600_000 } })
  // Waits until the first reconnects: by then, a second one from the start would also be open.
  h.slack.sockets.cut()
  await h.slack.until(({ sockets }) => sockets.open === 0)
  await h.slack.until(({ sockets }) => sockets.open > 0)
  expect((await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")).error).toBeUndefined()
  expect(h.slack.calls.filter(({ method }) => method === "apps.connections.open")).toHaveLength(2)
  expect(h.slack.sockets.open).toBe(1)
})

test("Socket Mode starts though Slack gives it no connection at first", async () => {
  const h = await testBed({
    onOtherParties: ({ slack }) =>
      slack.fail({ kind: "status", status: 500, method: "apps.connections.open", times: 1 }),
  })
  await h.slack.until(({ sockets }) => sockets.open === 2)
})

test("a healthy start warns of nothing; without a connection it is not ready, and it comes back by itself; the log tells both", async () => {
  const h = await testBed({ env: { LOG_LEVEL: "info" } })
  // The connection may take a moment.
  await expect.poll(() => h.lines.join("")).toContain('"msg":"started"')
  expect(h.lines.join("")).not.toMatch(/"level":"(warn|error)"/)
  await h.slack.until(({ sockets }) => sockets.open === 2)
  // Slack refuses until the test has seen no connection: a quick reconnect could hide that.
  const refusing = h.slack.fail({ kind: "status", status: 500, method: "apps.connections.open" })
  h.slack.sockets.cut()
  await expect
    .poll(() => readyz(h.bot))
    .toMatchObject({ status: 503, text: expect.stringContaining("no Socket Mode connection") })
  await expect.poll(() => refusing.hits).toBeGreaterThan(1)
  refusing.clear()
  await expect.poll(() => readyz(h.bot)).toMatchObject({ status: 200 })
  const told = h.logged.filter(({ msg }) => msg.startsWith("Socket Mode"))
  expect(told.map(({ level, msg }) => `${level}: ${msg}`)).toEqual([
    "warn: Socket Mode is disconnected",
    "info: Socket Mode is connected again",
  ])
})

test("a process that gets no connection for minutes ends, so that it is started again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const onDead = vi.fn()
  const log = createLog("silent", [])
  const intake = createIntake(log, NO_SECRETS, () => {})
  const [appToken, apiUrl] = [secret("xapp-1"), "http://127.0.0.1:1/"]
  const receiver = new SocketReceiver({ appToken, apiUrl, intake, log, apartMs: 0, onDead })
  const starting = receiver.start()
  vi.advanceTimersByTime(60_000)
  expect(onDead).not.toHaveBeenCalled()
  vi.advanceTimersByTime(4 * 60_000)
  expect(onDead).toHaveBeenCalledWith(expect.stringContaining("no Socket Mode connection"))
  vi.useRealTimers()
  await receiver.stop()
  await starting
})
