import { readFileSync } from "node:fs"
import { parse } from "yaml"
import { z } from "zod"

const ROOT = new URL("../../", import.meta.url)

export const readDocument = (name: string) => readFileSync(new URL(name, ROOT), "utf8")

/** Paths of the documents that people read, from the repository's root. */
export const DOCUMENTS = [
  "README.md",
  ".github/CONTRIBUTING.md",
  ".github/OPERATIONS.md",
  ".github/PERFORMANCE.md",
  ".github/PRIVACY.md",
  ".github/SECURITY.md",
  ".github/SETTINGS.md",
] as const

/** Returns commands by process type, without the `exec` that lets signals reach the process. */
export function readProcfile(): Map<string, string> {
  const types = z
    .record(z.string(), z.templateLiteral(["exec ", z.string()]))
    .parse(parse(readDocument("Procfile")))
  return new Map(Object.entries(types).map(([type, command]) => [type, command.slice(5)]))
}

/** Returns the text under a `## ` heading. @throws Error if there is no such heading */
export function sectionOf(document: string, heading: string): string {
  const [, text] = document.split(new RegExp(`^## ${heading}$`, "m"))
  if (text === undefined) throw new Error(`No section "${heading}"`)
  return text.split(/^## /m)[0] ?? ""
}

/** Program names; text in backticks that starts with one is a command. */
const PROGRAMS = "apt-get|brew|caddy|cp|docker|install|node|npm|npx|systemctl|useradd"

/** Returns each shell command of code blocks and running text in order, with `&&` lists split. */
export function commandsIn(text: string): string[] {
  const pieces = text.matchAll(/```(\w*)\n(.*?)```|`([^`\n]+)`/gs)
  return [...pieces].flatMap(([, language, block = "", inline = ""]) => {
    const lines = language === "sh" ? block.split("\n") : []
    if (new RegExp(`^(?:${PROGRAMS}) `).test(inline)) lines.push(inline)
    return lines
      .map((line) => line.replace(/ +# .*$/, "").trim())
      .flatMap((line) => (line === "" ? [] : line.split(" && ")))
  })
}

/** Commands of the documents by the file that runs them. */
export const RUN_BY = {
  ".ci/run": [
    "npm ci",
    "npm test",
    "npm run test:all",
    "npm run check",
    "npm run bench -- --quick",
  ],
  "test/operating/system/readme.test.ts": [
    "npm run build",
    "npm run sandbox",
    "cp .env.example .env",
    "node --env-file=.env dist/main.js doctor",
    "node --env-file=.env dist/main.js all",
    "node dist/main.js doctor",
    "node dist/main.js manifest",
    "node dist/main.js manifest --agent",
    "node dist/main.js manifest --host <your host>",
  ],
  "test/operating/system/backup.test.ts": [
    "node dist/main.js resume",
    "node dist/main.js drop",
    'redis-cli -u "$REDIS_URL" --rdb docs-agent.rdb',
    "redis-cli -u \"$REDIS_URL\" eval \"local n = 0 for _, key in ipairs(redis.call('KEYS', '{da}*')) do n = n + redis.call('UNLINK', key) end return n\" 0",
    "redis-cli config set appendonly yes",
    "redis-cli info persistence | grep aof_rewrite_in_progress:0",
    "redis-cli shutdown nosave",
    'redis-server --dir /var/lib/redis --appendonly no --save "" --daemonize yes',
  ],
  "test/operating/system/sandbox-command.test.ts": ["npm run sandbox -- --slack"],
  "test/operating/system/package.test.ts": [
    "npm install ./docs-agent-for-slack-<version>.tgz",
    "npx docs-agent-for-slack --env-file=.env doctor",
    "npx docs-agent-for-slack --env-file=.env all",
    "npx docs-agent-for-slack",
    "npm pack",
  ],
  ".ci/try-image.mjs": [
    "docker build -t docs-agent-for-slack .",
    "docker run --rm --env-file .env <image> doctor",
    "docker run -d --name docs-agent --restart unless-stopped --env-file .env -v docs-agent:/data <image>",
    "docker run -d --name docs-agent --restart unless-stopped --stop-timeout 15 --read-only --tmpfs /tmp --cap-drop ALL --env-file .env -v docs-agent:/data -p 127.0.0.1:3000:3000 <image>",
    "docker exec docs-agent node dist/main.js doctor",
    "docker stop docs-agent",
    "docker rm docs-agent",
  ],
} as const satisfies Record<string, readonly string[]>

/** Reasons why no file runs the other commands of the documents. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "docker exec docs-agent node dist/main.js resume": "needs Docker; the command itself is run",
  "docker compose exec worker node dist/main.js resume": "needs Docker; the command itself is run",
  "docker rm -f docs-agent": "needs Docker",
  "npm run test:blocks": "needs a token of a real Slack workspace",
  "npm run test:mutants": "takes many minutes; run by hand before a release",
  "npm run test:hour -- --seconds 600": "takes 40 minutes; npm run test:all runs a short one",
  "npm run test:chaos -- --requests 1000 --kills 200":
    "takes many minutes; npm run test:all runs a small one",
  "npm run pictures":
    "rewrites files of the tree; sandbox-page/system/pictures.test.ts takes them into a folder of its own",
  "npm run bench": "takes minutes and a quiet machine; its figures are in PERFORMANCE.md",
  "npm run bench -- <name>": "see npm run bench",
  "npx vitest run --config test/vitest.config.ts --project promises test/limit":
    "would run tests within a test; that the folder exists is checked",
  "npx vitest run --config test/vitest.config.ts --project doubles":
    "would run tests within a test; npm run test:all runs the same",
  "chmod -R a+rX /srv/docs-agent": "changes the machine",
  "useradd --system --home-dir /srv/docs-agent docs-agent": "changes the machine",
  "install -m 600 .env /etc/docs-agent.env": "changes the machine",
  "systemctl enable --now docs-agent-web docs-agent-worker": "needs systemd",
  "apt-get install redis-server": "installs on the machine; .ci/run does where it is missing",
  "brew install redis": "needs macOS",
  "docker compose up -d": "needs a Docker daemon; shipping.test.ts holds the file against the bot",
  "docker compose --profile tls up -d": "needs a Docker daemon and a public address",
  "docker compose build": "needs a Docker daemon; .ci/try-image.mjs builds the same image",
  "docker compose exec worker node dist/main.js doctor": "needs a Docker daemon",
  "systemctl restart docs-agent-web docs-agent-worker": "needs systemd",
  "node --env-file=/etc/docs-agent.env dist/main.js doctor":
    "reads a file of the machine; readme.test.ts runs it with .env",
}

/** All commands of the documents. */
export const COMMANDS: readonly string[] = [
  ...Object.values(RUN_BY).flat(),
  ...Object.keys(NOT_RUN),
]
