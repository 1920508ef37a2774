import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"

export interface ProcessFacts {
  /** User and system time so far, in ms. Linux and macOS count it in steps of 10 ms. */
  cpuMs: number
  residentBytes: number
}

/** Linux's unit of CPU time, `sysconf(_SC_CLK_TCK)`: 100 on every platform that Node supports. */
const TICKS_PER_SECOND = 100

export function processFacts(pid: number): ProcessFacts {
  return existsSync(`/proc/${pid}/stat`) ? fromProc(pid) : fromPs(pid)
}

function fromProc(pid: number): ProcessFacts {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The name in parentheses may contain spaces; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const ticks = Number(fields[11]) + Number(fields[12])
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return { cpuMs: (ticks * 1000) / TICKS_PER_SECOND, residentBytes: Number(resident) * 1024 }
}

function fromPs(pid: number): ProcessFacts {
  const line = execFileSync("ps", ["-o", "cputime=,rss=", "-p", String(pid)], { encoding: "utf8" })
  const [time = "", kilobytes = ""] = line.trim().split(/\s+/)
  const seconds = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)
  return { cpuMs: seconds * 1000, residentBytes: Number(kilobytes) * 1024 }
}
