import type { Logger, Octavo, RequestState } from '@octavo/core'
import type { ManagedRoute, Routes } from '@octavo/server'
import { AttemptLimits } from '@octavo/server/attempts'
import { Flows } from './accounts/flows.ts'
import { Identities } from './accounts/identities.ts'
import { Links } from './accounts/links.ts'
import { Mailer } from './accounts/mail.ts'
import { People } from './accounts/people.ts'
import { Roles } from './accounts/roles.ts'
import { hasEditors } from './accounts/rows.ts'
import { SecondFactors } from './accounts/second-factor.ts'
import { Sessions } from './accounts/sessions.ts'
import { Layouts } from './layouts/layouts.ts'
import type { Settings } from './options.ts'
import { problem } from './problems.ts'
import type { EditorRights } from './rights/narrow.ts'
import { keysVariable, Sealing } from './sealing.ts'
import type { Tables } from './tables.ts'
import { Views } from './views/views.ts'

interface ServiceParts {
  readonly octavo: Octavo
  readonly tables: Tables
  readonly settings: Settings
  readonly logger: Logger
  readonly rights: EditorRights
  /** The state that users-permissions allows everything; see `rights/caller.ts`. */
  readonly unrestricted: RequestState
  readonly managed: readonly ManagedRoute[]
}

/** The parts of the plugin while the server runs. */
export class Service {
  readonly octavo: Octavo
  readonly settings: Settings
  readonly rights: EditorRights
  readonly unrestricted: RequestState
  readonly links: Links
  readonly sessions: Sessions
  readonly secondFactors: SecondFactors
  readonly people: People
  readonly roles: Roles
  readonly mailer: Mailer
  readonly layouts: Layouts
  readonly views: Views
  readonly flows: Flows
  readonly identities: Identities
  readonly logger: Logger
  /** The routes of other plugins that the desk serves. Complete before the server listens. */
  readonly managed: readonly ManagedRoute[]
  readonly #tables: Tables
  #limits: AttemptLimits | undefined
  #isFounded = false

  constructor({ octavo, tables, settings, logger, rights, unrestricted, managed }: ServiceParts) {
    this.octavo = octavo
    this.settings = settings
    this.rights = rights
    this.unrestricted = unrestricted
    this.managed = managed
    this.links = new Links(tables, settings)
    this.sessions = new Sessions(octavo, tables, settings)
    this.secondFactors = new SecondFactors(octavo, tables, new Sealing(settings.keys))
    this.flows = new Flows(octavo, tables.openIdFlows)
    this.identities = new Identities({ octavo, table: tables.identities, links: this.links })
    this.people = new People({
      octavo,
      links: this.links,
      sessions: this.sessions,
      secondFactors: this.secondFactors,
      identities: this.identities,
    })
    this.roles = new Roles(octavo)
    this.mailer = new Mailer(settings.email, logger)
    this.layouts = new Layouts(octavo, tables.layouts)
    this.views = new Views(octavo, tables.views)
    this.#tables = tables
    this.logger = logger
  }

  /** The public URL of this server, without a slash at its end. */
  get publicUrl(): string {
    const { openId, acceptUrl } = this.settings
    const url = openId?.publicUrl ?? (acceptUrl === undefined ? this.links.server : new URL(acceptUrl).origin)
    return url.replace(/\/+$/, '')
  }

  limits(routes: Routes): AttemptLimits {
    this.#limits ??= new AttemptLimits(this.settings.rateLimit, routes, {
      store: this.octavo.store,
      tables: this.#tables,
      refused: () => problem('desk/too-many-attempts'),
    })
    return this.#limits
  }

  /** Whether there is an editor. Editors can remove each other, but never the last one who manages roles. */
  async isFounded(): Promise<boolean> {
    this.#isFounded ||= await hasEditors(this.octavo.store, this.octavo.registry)
    return this.#isFounded
  }

  /** Prints a link for the first editor, once: until it has ended, no later start and no other process prints another one. @param url The address of the server. */
  async announceFirst(url: string): Promise<void> {
    this.links.listensAt(url)
    const unreadable = await this.secondFactors.unreadable()
    if (unreadable > 0)
      this.logger.warn(
        { people: unreadable },
        `Second factors are encrypted with a key that is missing in ${keysVariable} or encryptionKeys: these people sign in with codes for recovery, or octavo editors reset turns them off`,
      )
    if (await this.isFounded()) return
    const made = await this.octavo.store.transaction(async (tx) => {
      await tx.lock('octavo editors')
      if ((await this.links.hasFirst(tx)) || (await hasEditors(tx, this.octavo.registry))) return undefined
      return this.links.make(tx, 'first', null)
    })
    if (made)
      this.logger.info(
        { link: made.link },
        'There is no editor yet. This link makes the first one, once; octavo editors create does so too',
      )
    else if (!(await this.isFounded()))
      this.logger.info(
        {},
        `There is no editor yet. The link that makes the first one was printed by an earlier start or another process, and is valid for ${this.settings.invitation / 3_600} hours; octavo editors create does so too`,
      )
  }
}
