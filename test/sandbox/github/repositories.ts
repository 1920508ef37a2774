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
  readonly name: string
  readonly isReadable: boolean
}

interface Entry {
  repository: Repository
  readonly pulls: Map<number, LocalPull>
}

const FIRST_ID = 1_296_269

/** All repositories and their pull requests. "The name is not case sensitive." */
export class Repositories {
  readonly #entries = new Map<number, Entry>()
  /** Ids by lowercase name, including the names that repositories had before they moved. */
  readonly #names = new Map<string, number>()
  readonly #now: () => number
  readonly #onChange: () => void
  #ids = FIRST_ID

  constructor(now: () => number, onChange: () => void) {
    this.#now = now
    this.#onChange = onChange
  }

  /** Returns a repository by its current or a former name; undefined if there is none. */
  byName(name: string): Repository | undefined {
    return this.byId(this.#names.get(name.toLowerCase()) ?? 0)
  }

  byId(id: number): Repository | undefined {
    return this.#entries.get(id)?.repository
  }

  /** Returns all pull requests by repository, oldest first. */
  readonly pulls = (): LocalPull[] =>
    [...this.#entries.values()].flatMap(({ pulls }) => [...pulls.values()])

  pull(id: number, number: number): LocalPull | undefined {
    return this.#entries.get(id)?.pulls.get(number)
  }

  /** Creates a repository, unless it exists. */
  readonly create = (name: string): void => {
    if (!this.#entry(name)) this.#create(name)
  }

  /** Opens the pull request, or updates it with new commits. */
  readonly push = (next: PushedPull): LocalPull => {
    const { pulls } = this.#entry(next.repository) ?? this.#create(next.repository)
    const known = pulls.get(next.number)
    const pull = known ? pushed(known, next, this.#now()) : opened(next, this.#nextId())
    pulls.set(pull.number, pull)
    this.#onChange()
    return pull
  }

  /** Performs a person's action. @throws Error if it isn't allowed or there is no pull request. */
  readonly act = (name: string, number: number, action: PullAction): LocalPull => {
    const pulls = this.#known(name).pulls
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
    const entry = this.#known(name)
    entry.repository = { ...entry.repository, name: to }
    this.#names.set(to.toLowerCase(), entry.repository.id)
    this.#onChange()
  }

  readonly setReadable = (name: string, isReadable: boolean): void => {
    const entry = this.#known(name)
    entry.repository = { ...entry.repository, isReadable }
    this.#onChange()
  }

  #entry(name: string): Entry | undefined {
    return this.#entries.get(this.#names.get(name.toLowerCase()) ?? 0)
  }

  #known(name: string): Entry {
    const entry = this.#entry(name)
    if (!entry) throw new Error(`There is no repository ${name}`)
    return entry
  }

  #create(name: string): Entry {
    const id = this.#nextId()
    const entry: Entry = { repository: { id, name, isReadable: true }, pulls: new Map() }
    this.#entries.set(id, entry)
    this.#names.set(name.toLowerCase(), id)
    return entry
  }

  #nextId(): number {
    this.#ids += 1
    return this.#ids
  }
}
