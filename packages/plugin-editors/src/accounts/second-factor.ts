import { type Octavo, type Queryable, sql, type Transaction } from '@octavo/core'
import { problem } from '../problems.ts'
import type { Sealing } from '../sealing.ts'
import type { Tables } from '../tables.ts'
import { hashSecret, makeRecoveryCode } from './secret.ts'

/** Seconds for which a code is shown. One step before and one after are accepted, as clocks differ. */
const period = 30
/** Wrong codes in a row, after which no code is compared for an hour. Six digits could be guessed otherwise. */
const mostFailures = 10
const recoveryCodes = 10

/** The secret that an app for codes needs, as text and as the address in a QR code. */
export interface NewFactor {
  readonly secret: string
  readonly uri: string
}

/**
 * Codes by time (TOTP, RFC 6238) as a second factor of the sign-in, with codes for recovery. A code is accepted once, and one that an app
 * showed before the last accepted one never.
 */
export class SecondFactors {
  readonly #octavo: Octavo
  readonly #tables: Tables
  readonly #sealing: Sealing

  constructor(octavo: Octavo, tables: Tables, sealing: Sealing) {
    this.#octavo = octavo
    this.#tables = tables
    this.#sealing = sealing
  }

  /** The number of secrets whose key is missing. */
  async unreadable(): Promise<number> {
    const rows = this.#octavo.store.rows(this.#tables.factors)
    const found = await rows.find({ where: { confirmed: true }, select: ['editor_id', 'secret'] })
    return found.filter(({ editor_id, secret }) => !this.#sealing.open(secret, placeOf(editor_id))).length
  }

  /** Whether signing in needs a code. */
  async isOn(editorId: number, db: Queryable = this.#octavo.store): Promise<boolean> {
    const rows = db.rows(this.#tables.factors)
    return (await rows.count({ editor_id: editorId, confirmed: true })) > 0
  }

  /** The people with a second factor. */
  async people(db: Queryable): Promise<ReadonlySet<number>> {
    const rows = db.rows(this.#tables.factors)
    const found = await rows.find({ where: { confirmed: true }, select: ['editor_id'] })
    return new Set(found.map(({ editor_id }) => editor_id))
  }

  /** Makes a secret, which counts once a code of it was confirmed. @throws ApplicationError when there is a second factor already */
  async begin(editorId: number, label: string): Promise<NewFactor> {
    const { Secret, TOTP } = await import('otpauth')
    const secret = new Secret({ size: 20 })
    await this.#change(async (tx) => {
      if (await this.isOn(editorId, tx)) throw problem('desk/second-factor-on')
      const rows = tx.rows(this.#tables.factors)
      await rows.delete({ where: { editor_id: editorId } })
      await rows.insert({
        editor_id: editorId,
        secret: this.#sealing.seal(secret.base32, placeOf(editorId)),
        confirmed: false,
        last_step: 0,
        failures: 0,
        failed_at: sql`now()`,
      })
    })
    return { secret: secret.base32, uri: new TOTP({ issuer: 'Octavo', label, secret }).toString() }
  }

  /** Turns the second factor on with a code of its app. @returns the codes for recovery. @throws ValidationError for a wrong code */
  async confirm(editorId: number, code: string): Promise<readonly string[]> {
    return this.#change(async (tx) => {
      const isPending =
        (await tx.rows(this.#tables.factors).count({ editor_id: editorId, confirmed: false })) > 0
      if (!isPending || !(await this.#takeCode(tx, editorId, code))) throw problem('desk/bad-code')
      await tx.rows(this.#tables.factors).update({ where: { editor_id: editorId }, set: { confirmed: true } })
      return this.#newRecoveryCodes(tx, editorId)
    })
  }

  /**
   * Accepts a code of the app, or a code for recovery, once.
   * @throws ValidationError `desk/bad-code`; RateLimitError after too many wrong ones; ApplicationError `desk/key-missing`
   */
  async require(editorId: number, code: string): Promise<void> {
    // Wrong codes are counted, so nothing is thrown inside of the transaction.
    const outcome = await this.#change(async (tx) => {
      const rows = tx.rows(this.#tables.factors)
      const recent = { $gt: sql`now() - interval '1 hour'` }
      const blocked = { editor_id: editorId, failures: { $gte: mostFailures }, failed_at: recent }
      if ((await rows.count(blocked)) > 0) return 'blocked'
      const isRight =
        (await this.#takeCode(tx, editorId, code)) || (await this.#takeRecoveryCode(tx, editorId, code))
      if (!isRight && (await this.#isUnreadable(tx, editorId))) return 'unreadable'
      await rows.update({
        where: { editor_id: editorId },
        set: isRight ? { failures: 0 } : { failures: sql`"failures" + 1`, failed_at: sql`now()` },
      })
      return isRight ? 'right' : 'wrong'
    })
    if (outcome === 'unreadable') throw problem('desk/key-missing')
    if (outcome === 'blocked') throw problem('desk/too-many-attempts')
    if (outcome === 'wrong') throw problem('desk/bad-code')
  }

  /** Makes new codes for recovery; the former ones end. */
  newRecoveryCodes(editorId: number): Promise<readonly string[]> {
    return this.#change((tx) => this.#newRecoveryCodes(tx, editorId))
  }

  /** Turns the second factor off. */
  async end(editorId: number, db: Queryable = this.#octavo.store): Promise<void> {
    await db.rows(this.#tables.factors).delete({ where: { editor_id: editorId } })
    await db.rows(this.#tables.recoveryCodes).delete({ where: { editor_id: editorId } })
  }

  /** Whether a text is a code of the app that was not used yet, nor an earlier one. */
  async #takeCode(tx: Transaction, editorId: number, code: string): Promise<boolean> {
    const token = code.replaceAll(' ', '')
    if (!/^\d{6}$/.test(token)) return false
    const rows = tx.rows(this.#tables.factors)
    const factor = await rows.first({ where: { editor_id: editorId } })
    const opened = factor && this.#sealing.open(factor.secret, placeOf(editorId))
    if (!opened) return false
    const { Secret, TOTP } = await import('otpauth')
    const timestamp = this.#octavo.store.now().getTime()
    const delta = TOTP.validate({
      token,
      secret: Secret.fromBase32(opened.text),
      period,
      timestamp,
      window: 1,
    })
    if (delta === null) return false
    const step = Math.floor(timestamp / 1_000 / period) + delta
    const changed = await rows.update({
      where: { editor_id: editorId, last_step: { $lt: step } },
      // A secret that was stored before there was a key, or with an earlier one, is encrypted now.
      set: {
        last_step: step,
        ...(!opened.isCurrent && { secret: this.#sealing.seal(opened.text, placeOf(editorId)) }),
      },
      returning: ['editor_id'],
    })
    return changed.length > 0
  }

  async #isUnreadable(tx: Transaction, editorId: number): Promise<boolean> {
    const factor = await tx.rows(this.#tables.factors).first({ where: { editor_id: editorId } })
    return factor !== undefined && !this.#sealing.open(factor.secret, placeOf(editorId))
  }

  async #takeRecoveryCode(tx: Transaction, editorId: number, code: string): Promise<boolean> {
    const hash = hashSecret(code.trim().toLowerCase())
    return (
      (await tx.rows(this.#tables.recoveryCodes).delete({ where: { editor_id: editorId, hash } })).length > 0
    )
  }

  async #newRecoveryCodes(tx: Transaction, editorId: number): Promise<readonly string[]> {
    const rows = tx.rows(this.#tables.recoveryCodes)
    await rows.delete({ where: { editor_id: editorId } })
    const codes = Array.from({ length: recoveryCodes }, makeRecoveryCode)
    for (const code of codes) await rows.insert({ hash: hashSecret(code), editor_id: editorId })
    return codes
  }

  /** One change of a second factor at a time: of two attempts with one code, one succeeds. */
  #change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#octavo.store.transaction(async (tx) => {
      await tx.lock('octavo editors second factor')
      return work(tx)
    })
  }
}

/** The row of a secret, which is part of its encryption. */
const placeOf = (editorId: number): string => `second factor ${editorId}`
