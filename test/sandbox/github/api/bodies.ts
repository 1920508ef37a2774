import { createHash } from "node:crypto"
import { linesOf } from "../pages/unified-diff.ts"
import { commitsOf, type FileChange, type LocalPull, type Review } from "../pull.ts"
import type { Repository } from "../repositories.ts"

export interface Addresses {
  readonly api: string
  readonly web: string
}

/** Returns the body of "Get a pull request". */
export function pullBody(pull: LocalPull, repository: Repository, at: Addresses) {
  const { number, id, title, state, draft } = pull
  const isMerged = pull.mergedAt !== null
  const lines = pull.files.map(({ before, after }) => linesOf(before, after))
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
    head: branch(pull.branch, headOf(pull), repository, at),
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
    review_comments: pull.reviews.reduce((sum, { comments }) => sum + comments.length, 0),
    maintainer_can_modify: false,
    commits: commitsOf(pull),
    additions: lines.reduce((sum, { added }) => sum + added, 0),
    deletions: lines.reduce((sum, { removed }) => sum + removed, 0),
    changed_files: pull.files.length,
  }
}

/** Returns one row of "List reviews for a pull request". */
export function reviewBody(review: Review, pull: LocalPull, repository: Repository, at: Addresses) {
  return {
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: review.by === null ? null : account(review.by),
    body: review.body,
    state: review.state,
    html_url: `${at.web}/${repository.name}/pull/${pull.number}#pullrequestreview-${review.id}`,
    pull_request_url: `${at.api}/repos/${repository.name}/pulls/${pull.number}`,
    author_association: review.association,
    submitted_at: time(review.at),
    commit_id: headOf(pull),
  }
}

/**
 * Returns the rows of "List review comments on a pull request": "By default, review comments are in
 * ascending order by ID." An outdated one has a null `line` but keeps `original_line`.
 */
export function commentBodies(pull: LocalPull, repository: Repository, at: Addresses) {
  return pull.reviews.flatMap((review) =>
    review.comments.map(({ path, line, body }, index) => {
      const id = review.id * 100 + index
      return {
        id,
        node_id: `PRRC_${id}`,
        pull_request_review_id: review.id,
        path,
        line,
        original_line: line ?? 1,
        side: "RIGHT",
        subject_type: "line",
        diff_hunk: "@@ -1,1 +1,1 @@",
        user: review.by === null ? null : account(review.by),
        body,
        author_association: review.association,
        created_at: time(review.at),
        updated_at: time(review.at),
        commit_id: headOf(pull),
        html_url: `${at.web}/${repository.name}/pull/${pull.number}#discussion_r${id}`,
        pull_request_url: `${at.api}/repos/${repository.name}/pulls/${pull.number}`,
      }
    }),
  )
}

/** Returns one row of "List pull requests files". */
export function fileBody({ path, before, after }: FileChange) {
  const { added, removed } = linesOf(before, after)
  return {
    sha: sha(after),
    filename: path,
    status: before === "" ? "added" : after === "" ? "removed" : "modified",
    additions: added,
    deletions: removed,
    changes: added + removed,
  }
}

function headOf(pull: LocalPull): string {
  return sha(`${pull.id} ${commitsOf(pull)}`)
}

/** Returns the fields of "Get a repository" that a reader of pull requests needs. */
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

/** Formats a time as GitHub does, without fractions of a second. */
function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString().replace(/\.\d+Z$/, "Z")
}

function sha(text: string): string {
  return createHash("sha1").update(text).digest("hex")
}
