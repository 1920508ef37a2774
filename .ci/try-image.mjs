/**
 * Builds the image and tries it as the documents say, with the local Slack, service and GitHub. Without
 * a Docker daemon, Podman runs the containers, and Buildah builds on a base that is made of Debian's and
 * Node's own packages, because such a machine may not be able to download one. Needs root then.
 */
import { exec, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env as machine } from "node:process"
import { setTimeout as delay } from "node:timers/promises"
import { promisify } from "node:util"
import { RUN_BY } from "../test/helpers/documents.ts"
import { reading } from "../test/helpers/reading.ts"
import { startRedisServer } from "../test/helpers/redis-server.ts"
import { ADA, CLEO, DOCS } from "../test/sandbox/slack/index.ts"
import { startOtherParties } from "../test/sandbox/test-bed.ts"

const REQUESTS = 20
const PORT = "3917"
/** Time limit in ms for each thing that is waited for: shared machines are slow. */
const MOST_MS = 90_000
const WRITE_ELSEWHERE =
  "(() => { try { require('fs').writeFileSync('/app/x', '') } catch ({ code }) { return code } })()"

const dockerfile = readFileSync("Dockerfile", "utf8")
const { version } = JSON.parse(readFileSync("package.json", "utf8"))
const folder = mkdtempSync(join(tmpdir(), "docs-agent-image-"))
const docker = spawnSync("docker", ["info"]).status === 0 ? "docker" : "podman"
const environment = docker === "podman" ? podmanEnvironment() : machine
const unused = new Set(RUN_BY[".ci/try-image.mjs"])

const parties = await startOtherParties({ mode: "socket" })
const { slack, docs, github, env, botMessages } = reading(parties)
try {
  await build()
  check(
    "it prints the version",
    await run(`${docker} run --rm docs-agent-for-slack --version`),
    version,
  )
  docs.planAll({ ending: "pull_request", afterMs: 20 })
  await tryOneContainer()
  await tryAnUpgrade()
  await tryAnotherRedis()
  check("all commands of the documents were run", [...unused].join(), "")
} finally {
  spawnSync(docker, ["rm", "-f", "docs-agent"], { env: environment })
  spawnSync(docker, ["volume", "rm", "-f", "docs-agent"], { env: environment })
  if (docker === "podman") spawnSync("podman", ["system", "reset", "-f"], { env: environment })
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([slack.close(), docs.close(), github.close()])
}

/** Keeps all that Podman stores in a folder of its own, and asks for no more than this machine grants. */
function podmanEnvironment() {
  const storage = `[storage]
driver = "overlay"
graphroot = "${folder}/images"
runroot = "${folder}/run"
`
  const containers = `[containers]
netns = "host"
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`
  writeFileSync(join(folder, "storage.conf"), storage)
  writeFileSync(join(folder, "containers.conf"), containers)
  return {
    ...machine,
    CONTAINERS_STORAGE_CONF: join(folder, "storage.conf"),
    CONTAINERS_CONF: join(folder, "containers.conf"),
  }
}

async function build() {
  const command = documented("docker build")
  if (docker === "docker") return await run(command)
  const [, base, node] = /^FROM (node:([\d.]+)\S+)$/m.exec(dockerfile)
  const standIn = "localhost/node-slim"
  await run(`.ci/stand-in-base.sh ${folder} ${node} ${standIn}`)
  const context = `--build-context ${base}=container-image://${standIn}`
  const how = `--isolation chroot --format docker ${context}`
  return await run(command.replace("podman build", `buildah bud ${how}`))
}

/** Runs the README's two commands, and kills the container in the middle of 20 requests. */
async function tryOneContainer() {
  writeSettings({ START_DELAY_SECONDS: "1" })
  const before = await run(documented("docker run --rm"))
  check(
    "the doctor has nothing to say before the start",
    before.split("\n").at(-1),
    "No problems found.",
  )
  await run(documented("docker run -d --name docs-agent --restart unless-stopped --env-file"))
  await until("it is ready", isReady)
  check("its health check passes", await healthCheck(), "healthy")
  check("it runs as the user 1000", await evaluate("process.getuid()"), "1000")
  const findings = await run(documented("docker exec docs-agent node dist/main.js doctor"))
  process.stdout.write(`${findings}\n`)
  check(
    "the doctor has nothing to say against the inner Redis",
    /^ok +redis .*Redis 7/m.test(findings),
    true,
  )

  await Promise.all(
    Array.from({ length: REQUESTS }, (_, n) =>
      slack.as(ADA).slash(DOCS, "/docs-agent", `fix page ${n} of the guides`),
    ),
  )
  await until("the service has begun", () => jobs().length > 2)
  await run(`${docker} kill --signal KILL docs-agent`)
  const begun = jobs().length
  await run(`${docker} start docs-agent`)
  await until("every request has its end", () => ended().length === REQUESTS)
  const unknown = ended().filter(({ text }) => !/Pull request ready/.test(text)).length
  process.stdout.write(`Killed after ${begun} of ${REQUESTS} starts: ${unknown} unconfirmed\n`)
  check("none was sent twice", new Set(jobs().map(({ prompt }) => prompt)).size, jobs().length)

  const stopping = performance.now()
  await run(documented("docker stop"))
  const seconds = (performance.now() - stopping) / 1000
  check(`it stops in time: ${seconds.toFixed(1)} s`, seconds < 10, true)
  check("it ends with 0", await run(`${docker} inspect -f {{.State.ExitCode}} docs-agent`), "0")
  await run(documented("docker rm"))
}

async function tryAnUpgrade() {
  await run(documented("docker run -d --name docs-agent --restart unless-stopped --stop-timeout"))
  await until("a new container on the old volume is ready", isReady)
  check("nothing can be written elsewhere", await evaluate(WRITE_ELSEWHERE), "EROFS")
  await slack.as(ADA).slash(DOCS, "/docs-agent", "status")
  await until("it remembers the requests", () =>
    slack.ephemerals(ADA).some(({ blocks }) => JSON.stringify(blocks).includes("of the guides")),
  )
  await run(`${docker} rm -f docs-agent`)
  await run(`${docker} volume rm docs-agent`)
}

async function tryAnotherRedis() {
  const redis = await startRedisServer()
  writeSettings({ REDIS_URL: redis.url })
  await run(named("docker run -d --name docs-agent --restart unless-stopped --env-file"))
  await until("it is ready with REDIS_URL", isReady)
  check(
    "no inner Redis runs",
    await evaluate("require('fs').existsSync('/data/redis.sock')"),
    "false",
  )
  await redis[Symbol.asyncDispose]()
}

function writeSettings(more) {
  const { BIND_ADDRESS: _, ...settings } = { ...env, PORT, ADMIN_USERS: CLEO, ...more }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, ".env"), lines.join(""))
}

function jobs() {
  return docs.jobs(env.DOCS_PROJECT_ID)
}

/** Returns the cards whose request has ended, or whose start was not confirmed. */
function ended() {
  const cards = botMessages(DOCS).filter(({ threadTs }) => threadTs === undefined)
  return cards.filter(({ text }) => /Pull request ready|confirm/.test(text))
}

async function isReady() {
  const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => undefined)
  return answer?.status === 200
}

/** Runs the Dockerfile's own health check in the container, which Podman does only under systemd. */
async function healthCheck() {
  const [, json] = /^HEALTHCHECK (?:.*\\\n)? *CMD (\[.*\])$/m.exec(dockerfile)
  const words = JSON.parse(json).map((word) => `'${word}'`)
  return await run(`${docker} exec docs-agent ${words.join(" ")} && echo healthy`)
}

async function evaluate(expression) {
  return await run(`${docker} exec docs-agent node -p "${expression}"`)
}

/** Returns the documents' command that begins so, for this machine, and counts it as run. */
function documented(start) {
  for (const command of unused) if (command.startsWith(start)) unused.delete(command)
  return named(start)
}

function named(start) {
  const command = RUN_BY[".ci/try-image.mjs"].find((one) => one.startsWith(start))
  const here = docker === "docker" ? "--network host" : "--no-healthcheck"
  return command
    .replace("<image>", "docs-agent-for-slack")
    .replace("--env-file .env", `${here} --env-file ${folder}/.env`)
    .replace(/^docker/, docker)
}

/** Runs a command while the local Slack and service, which live in this process, go on answering. */
async function run(command) {
  process.stdout.write(`$ ${command}\n`)
  const { stdout } = await promisify(exec)(command, { env: environment, maxBuffer: 1e8 })
  return stdout.trim()
}

async function until(says, holds) {
  const start = performance.now()
  while (!(await holds())) {
    if (performance.now() - start > MOST_MS) {
      process.stdout.write(
        String(spawnSync(docker, ["logs", "docs-agent"], { env: environment }).stdout),
      )
      throw new Error(`not in time: ${says}`)
    }
    await delay(50)
  }
  process.stdout.write(`ok: ${says} (${((performance.now() - start) / 1000).toFixed(1)} s)\n`)
}

function check(says, found, expected) {
  if (found !== expected) throw new Error(`not so: ${says}: ${found}`)
  process.stdout.write(`ok: ${says}\n`)
}
