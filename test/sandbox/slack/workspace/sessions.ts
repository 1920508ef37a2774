import type { Workspace } from "./workspace.ts"

export const SESSION_STATUSES = ["active", "processing"] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** One state of a session and its start, in ms by the local Slack's clock. */
interface SessionState {
  readonly status: SessionStatus
  readonly at: number
  /** Cause; with `timeout`, Slack itself ended `processing` after an hour. */
  readonly by: "app" | "timeout"
}

/** Agent session: one thread in which people see the app's status, a title and a Stop button. */
export interface AgentSession {
  readonly channel: string
  readonly threadTs: string
  readonly title: string | undefined
  readonly initiator: string | undefined
  /** All states that were set, including repeated ones; the last one is current. */
  readonly history: readonly SessionState[]
}

/**
 * "Sessions in the `processing` status time out after one hour and automatically transition to
 * `active`. Setting the status to `processing` again restarts the one-hour timer" (Agent sessions).
 */
const PROCESSING_MS = 3_600_000

export type NewSession = Omit<AgentSession, "history">

/** Sets a session's status, "creating the session if needed". */
export function setSessionStatus(
  workspace: Workspace,
  wanted: NewSession,
  status: SessionStatus,
): AgentSession {
  const known = sessionOf(workspace, wanted.channel, wanted.threadTs)
  const state: SessionState = { status, at: workspace.now(), by: "app" }
  return store(workspace, { ...(known ?? wanted), history: [...(known?.history ?? []), state] })
}

/** Gives a session another title. */
export function renameSession(workspace: Workspace, session: AgentSession, title: string): void {
  store(workspace, { ...session, title })
}

/** Returns a thread's session in its current state, by the local Slack's clock. */
export function sessionOf(
  workspace: Workspace,
  channel: string,
  threadTs: string,
): AgentSession | undefined {
  const session = workspace.sessions.get(`${channel}:${threadTs}`)
  return session && timedOut(session, workspace.now())
}

/** Returns all sessions in their current state, in order of creation. */
export function allSessions(workspace: Workspace): AgentSession[] {
  return [...workspace.sessions.values()].map((session) => timedOut(session, workspace.now()))
}

export function statusOf({ history }: AgentSession): SessionStatus {
  return history.at(-1)?.status ?? "active"
}

function timedOut(session: AgentSession, now: number): AgentSession {
  const last = session.history.at(-1)
  if (last?.status !== "processing" || now < last.at + PROCESSING_MS) return session
  const state: SessionState = { status: "active", at: last.at + PROCESSING_MS, by: "timeout" }
  return { ...session, history: [...session.history, state] }
}

function store(workspace: Workspace, session: AgentSession): AgentSession {
  const { channel, threadTs } = session
  workspace.sessions.set(`${channel}:${threadTs}`, session)
  workspace.changes.emit({ type: "changed" })
  return session
}
