import { createHash } from "node:crypto"
import { commitsOf, type LocalPull, type Review } from "../pull.ts"
import type { Repository } from "../repositories.ts"

/** Where the API and the web pages are. */
export interface Addresses {
  readonly api: string
  readonly web: string
}

/** The body of "Get a pull request". */
export function pullBody(pull: LocalPull, repository: Repository, at: Addresses) {
  const { number, id, title, state, draft } = pull
  const isMerged = pull.mergedAt !== null
  return {
    url: `${at.api}/repos/${repository.name}/pulls/${number}`,
    id,
    node_id: `PR_${id}`,
    html_url: `${at.web}/${repository.name}/pull/${number}`,
    number,
    state,
    locked: false,
    title,
    user: account("docs-agent[bot]"),
    body: pull.asked[0]?.prompt ?? null,
    created_at: time(pull.openedAt),
    updated_at: time(pull.updatedAt),
    closed_at: time(pull.closedAt),
    merged_at: time(pull.mergedAt),
    merge_commit_sha: isMerged ? sha(`merge ${id}`) : null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: [],
    milestone: null,
    draft,
    head: branch(pull.branch, sha(`${id} ${commitsOf(pull)}`), repository, at),
    base: branch("main", sha("main"), repository, at),
    author_association: "CONTRIBUTOR",
    auto_merge: null,
    active_lock_reason: null,
    merged: isMerged,
    mergeable: state === "open" ? true : null,
    rebaseable: state === "open" ? true : null,
    mergeable_state: draft ? "draft" : "clean",
    merged_by: pull.mergedBy === null ? null : account(pull.mergedBy),
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: commitsOf(pull),
    additions: 12,
    deletions: 3,
    changed_files: pull.files.length,
  }
}

/** One row of "List reviews for a pull request". */
export function reviewBody(review: Review, pull: LocalPull, repository: Repository, at: Addresses) {
  return {
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: review.by === null ? null : account(review.by),
    body: "",
    state: review.state,
    html_url: `${at.web}/${repository.name}/pull/${pull.number}#pullrequestreview-${review.id}`,
    pull_request_url: `${at.api}/repos/${repository.name}/pulls/${pull.number}`,
    author_association: "MEMBER",
    submitted_at: time(review.at),
    commit_id: sha(`${pull.id} ${commitsOf(pull)}`),
  }
}

/** The part of "Get a repository" that a reader of pull requests needs. */
export function repositoryBody({ id, name }: Repository, at: Addresses) {
  const [owner = "", repo = ""] = name.split("/")
  return {
    id,
    node_id: `R_${id}`,
    name: repo,
    full_name: name,
    private: true,
    owner: account(owner),
    html_url: `${at.web}/${name}`,
    url: `${at.api}/repos/${name}`,
    default_branch: "main",
    archived: false,
    permissions: { admin: false, maintain: false, push: false, triage: false, pull: true },
  }
}

function account(login: string) {
  const id = Number.parseInt(sha(login).slice(0, 7), 16)
  return { login, id, node_id: `U_${id}`, type: login.endsWith("[bot]") ? "Bot" : "User" }
}

function branch(ref: string, commit: string, repository: Repository, at: Addresses) {
  const [owner = ""] = repository.name.split("/")
  const repo = repositoryBody(repository, at)
  return { label: `${owner}:${ref}`, ref, sha: commit, user: account(owner), repo }
}

/** GitHub's times have no fraction of a second. */
function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString().replace(/\.\d+Z$/, "Z")
}

function sha(text: string): string {
  return createHash("sha1").update(text).digest("hex")
}
