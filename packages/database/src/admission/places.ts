import { assumedDuration, Lane, Lanes } from './lanes.ts'

/** The share of the connections that one content-type may use, so that a locked table leaves some to the others. */
const groupShare = 5 / 7

/** The share of the connections of a content-type that writes of many entries may use: they take long, and hold many locks. */
const bulkShare = 1 / 2

/** The share of the connections for unknown statements of callers, of all content-types and of one. */
const unknownShare = { all: 5 / 7, ofGroup: 3 / 7 }

/**
 * The share of the connections of a content-type for its heavy and its unknown statements together: by their own limits alone they could have all of
 * them, and statements that are known as quick none.
 */
const unprovenShare = 5 / 7

/** Heavy work has one in five connections, by default one per core, and one more, since one caller never has all. */
const heavyShare = 1 / 5

/** Work that needs a connection. */
export interface Demand {
  /** The content-type. Work without one is limited by the number of connections only. */
  readonly group?: string | undefined
  /** Whether it is a write of many entries, which may only use a part of the connections of its content-type. Default false. */
  readonly bulk?: boolean | undefined
  /** The user, token or address that the work is for. Default: the server itself, whose work goes first. */
  readonly caller?: string | undefined
  /** The callers of work that several share, each as often as it takes part; in place of `caller`. */
  readonly callers?: readonly string[] | undefined
  /** Whether it may only use one of the few connections for heavy work. Default false. */
  readonly heavy?: boolean | undefined
  /** Whether its duration is unknown, so that it may only use a part of the connections. Default false. */
  readonly unknown?: boolean | undefined
}

const part = (of: number, share: number): number => Math.max(1, Math.floor(of * share))
const allButOne = (limit: number): number => Math.max(1, limit - 1)

/** The limits on work that runs at once: of all, of a content-type, of bulk writes, of heavy work, of unknown statements, of both together, and of one caller in each of them. */
export class Places {
  readonly all: Lane
  readonly heavy: Lane
  readonly #unknown: Lane
  readonly #unknownOf: Lanes
  readonly #groupsUnknown: Lanes
  readonly #groupsUnknownOf: Lanes
  readonly #groupsUnproven: Lanes
  readonly #heavyOf: Lanes
  readonly #groups: Lanes
  readonly #groupsOf: Lanes
  readonly #bulk: Lanes
  readonly #bulkOf: Lanes
  readonly #callers: Lanes

  constructor(connections: number) {
    const ofGroup = part(connections, groupShare)
    const ofBulk = part(ofGroup, bulkShare)
    const ofHeavy = Math.min(connections, Math.floor(connections * heavyShare) + 1)
    this.all = new Lane(connections, assumedDuration)
    this.heavy = new Lane(ofHeavy, assumedDuration)
    // Two at least, so that a slow one does not delay all others, and one connection is left to known statements.
    const unknown = (share: number): number =>
      Math.max(1, Math.min(connections - 1, Math.max(2, part(connections, share))))
    this.#unknown = new Lane(unknown(unknownShare.all), assumedDuration)
    this.#unknownOf = new Lanes(allButOne(unknown(unknownShare.all)), this.all)
    this.#groupsUnknown = new Lanes(unknown(unknownShare.ofGroup), this.all)
    this.#groupsUnknownOf = new Lanes(allButOne(unknown(unknownShare.ofGroup)), this.all)
    this.#groupsUnproven = new Lanes(part(ofGroup, unprovenShare), this.all)
    this.#callers = new Lanes(allButOne(connections), this.all)
    this.#heavyOf = new Lanes(allButOne(ofHeavy), this.all)
    this.#groups = new Lanes(ofGroup, this.all)
    this.#groupsOf = new Lanes(allButOne(ofGroup), this.all)
    this.#bulk = new Lanes(ofBulk, this.all)
    this.#bulkOf = new Lanes(allButOne(ofBulk), this.all)
  }

  /** The lanes in which work takes a place. */
  of(demand: Demand): readonly Lane[] {
    const { group, bulk, caller, heavy, unknown } = demand
    const lanes = [this.all]
    if (unknown && !heavy) lanes.push(...this.#ofUnknown(demand), ...this.#ofUnproven(demand))
    if (caller !== undefined) lanes.push(this.#callers.of(caller))
    if (group !== undefined) {
      lanes.push(this.#groups.of(group))
      if (bulk) lanes.push(this.#bulk.of(group))
      if (caller !== undefined) lanes.push((bulk ? this.#bulkOf : this.#groupsOf).of(`${group}\0${caller}`))
    }
    return heavy ? [...lanes, ...this.#ofHeavy(demand), ...this.#ofUnproven(demand)] : lanes
  }

  /** The further lanes of work that has become heavy while it waited in those of {@link of}. */
  madeHeavy(demand: Demand): readonly Lane[] {
    const heavy = this.#ofHeavy(demand)
    return demand.unknown ? heavy : [...heavy, ...this.#ofUnproven(demand)]
  }

  /** The further lanes of unknown statements. Statements of the server itself have none; heavy ones have narrower lanes already. */
  #ofUnknown({ group, caller, callers }: Demand): readonly Lane[] {
    if (caller === undefined && callers === undefined) return []
    const lanes = [this.#unknown]
    if (group !== undefined) lanes.push(this.#groupsUnknown.of(group))
    if (caller === undefined) return lanes
    lanes.push(this.#unknownOf.of(caller))
    if (group !== undefined) lanes.push(this.#groupsUnknownOf.of(`${group}\0${caller}`))
    return lanes
  }

  #ofHeavy({ caller }: Demand): readonly Lane[] {
    return caller === undefined ? [this.heavy] : [this.heavy, this.#heavyOf.of(caller)]
  }

  #ofUnproven({ group, caller, callers }: Demand): readonly Lane[] {
    const isCharged = caller !== undefined || callers !== undefined
    return isCharged && group !== undefined ? [this.#groupsUnproven.of(group)] : []
  }
}
