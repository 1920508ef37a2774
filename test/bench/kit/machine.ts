import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpus, totalmem } from "node:os"

/** Where figures were measured: without it they say nothing. */
export interface Machine {
  cpu: string
  cores: number
  memoryGb: number
  versions: Record<string, string>
}

const PACKAGES = ["@slack/bolt", "ioredis", "undici", "zod", "bottleneck"]

export function machine(redisServer: string | undefined): Machine {
  const all = cpus()
  const redis = redisServer
    ? /v=([\d.]+)/.exec(execFileSync(redisServer, ["--version"], { encoding: "utf8" }))?.[1]
    : undefined
  return {
    cpu: all[0]?.model ?? "unknown",
    cores: all.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    versions: {
      node: process.versions.node,
      ...(redis ? { "redis-server": redis } : {}),
      ...Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
    },
  }
}

function versionOf(name: string): string {
  const file = new URL(`../../../node_modules/${name}/package.json`, import.meta.url)
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string }
  return version
}
