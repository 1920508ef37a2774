import {
  acted,
  type LocalPull,
  obstacle,
  opened,
  type PullAction,
  type PushedPull,
  pullActionSchema,
  pushed,
} from "./pull.ts"

export interface Repository {
  readonly id: number
  name: string
  isReadable: boolean
  /** Pull requests by number, oldest first. */
  readonly pulls: Map<number, LocalPull>
}

const FIRST_ID = 1_296_269

/** All repositories and their pull requests. "The name is not case sensitive." */
export class Repositories {
  readonly #byId = new Map<number, Repository>()
  /** Ids by lowercase name, including the names that repositories had before they moved. */
  readonly #ids = new Map<string, number>()
  readonly #now: () => number
  readonly #onChange: () => void
  #lastId = FIRST_ID

  constructor(now: () => number, onChange: () => void) {
    this.#now = now
    this.#onChange = onChange
  }

  /** Returns a repository by its current or a former name; undefined if there is none. */
  byName(name: string): Repository | undefined {
    return this.byId(this.#ids.get(name.toLowerCase()) ?? 0)
  }

  byId(id: number): Repository | undefined {
    return this.#byId.get(id)
  }

  /** Returns all pull requests by repository, oldest first. */
  readonly pulls = (): LocalPull[] =>
    [...this.#byId.values()].flatMap(({ pulls }) => [...pulls.values()])

  /** Returns the repository, which it creates unless it exists. */
  readonly create = (name: string): Repository => {
    const known = this.byName(name)
    if (known) return known
    const created = { id: this.#nextId(), name, isReadable: true, pulls: new Map() }
    this.#byId.set(created.id, created)
    this.#ids.set(name.toLowerCase(), created.id)
    return created
  }

  /** Opens the pull request, or updates it with new commits. */
  readonly push = (next: PushedPull): LocalPull => {
    const { pulls } = this.create(next.repository)
    const known = pulls.get(next.number)
    const pull = known ? pushed(known, next, this.#now()) : opened(next, this.#nextId())
    pulls.set(pull.number, pull)
    this.#onChange()
    return pull
  }

  /** Performs a person's action. @throws Error if it isn't allowed or there is no pull request. */
  readonly act = (name: string, number: number, action: PullAction): LocalPull => {
    const { pulls } = this.#known(name)
    const pull = pulls.get(number)
    if (!pull) throw new Error(`There is no pull request ${name}#${number}`)
    const reason = obstacle(pull, action)
    if (reason !== undefined) throw new Error(`${name}#${number} cannot ${action.do}: ${reason}`)
    const next = acted(pull, pullActionSchema.parse(action), this.#now())
    pulls.set(number, next)
    this.#onChange()
    return next
  }

  /** Changes the repository's owner or name; the old one redirects to the new one. */
  readonly move = (name: string, to: string): void => {
    const moved = this.#known(name)
    moved.name = to
    this.#ids.set(to.toLowerCase(), moved.id)
    this.#onChange()
  }

  readonly setReadable = (name: string, isReadable: boolean): void => {
    this.#known(name).isReadable = isReadable
    this.#onChange()
  }

  #known(name: string): Repository {
    const known = this.byName(name)
    if (!known) throw new Error(`There is no repository ${name}`)
    return known
  }

  #nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }
}
