/**
 * Checks the README's promises for the sandbox, over the HTTP API of its page: one command, one
 * address, a request, its pull request, and a Ctrl-C that ends everything.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { setTimeout as delay } from "node:timers/promises"

/** Time limit in ms: the README says ten seconds to a pull request; shared machines are slower. */
const MOST_MS = 60_000

const sandbox = spawn("npm", ["run", "sandbox", "--", "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
  // A separate process group: a terminal's Ctrl-C reaches every process of the command.
  detached: true,
})
const closed = once(sandbox.stdout, "close")
try {
  const url = await addressOf(sandbox)
  const page = await fetch(url)
  if (page.status !== 200) throw new Error(`the page answers ${page.status}`)
  const said = await fetch(`${url}/api/say`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ as: "ada", channel: "docs", text: "/docs-agent fix the quickstart" }),
  })
  if (!said.ok) throw new Error(`the request is answered ${said.status}: ${await said.text()}`)
  const typedAt = performance.now()
  while (!(await hasPullRequest(url))) {
    if (performance.now() - typedAt > MOST_MS) throw new Error("no pull request came")
    await delay(100)
  }
  const seconds = ((performance.now() - typedAt) / 1000).toFixed(1)
  process.stdout.write(`The sandbox: its pull request came after ${seconds} s\n`)
} finally {
  if (sandbox.pid && !sandbox.stdout.closed) process.kill(-sandbox.pid, "SIGINT")
  await closed
}

/** Returns the address that the sandbox prints. @throws Error if it ends without one */
async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /^Open (http:\S+)/.exec(line) ?? []
    if (url) return url
  }
  throw new Error("the sandbox ended without an address")
}

async function hasPullRequest(url) {
  const { state } = await (await fetch(`${url}/api/state`)).json()
  return state.messages.some(({ isBot, text }) => isBot && text.includes("Pull request ready"))
}
