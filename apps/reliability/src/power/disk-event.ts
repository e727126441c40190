/** An operation on the files of a folder, by names relative to it. */
export type DiskEvent =
  | { readonly kind: 'create' | 'mkdir' | 'remove'; readonly name: string }
  | { readonly kind: 'rename'; readonly from: string; readonly name: string }
  | { readonly kind: 'truncate'; readonly name: string; readonly length: number }
  /** The bytes follow. */
  | { readonly kind: 'write'; readonly name: string; readonly at: number }
  /** A flush begins, and ends; what was written meanwhile may be missing on the disk. */
  | { readonly kind: 'flush' | 'flushed'; readonly name: string; readonly flush: number }

/** The form in a record: the lengths of both parts, the event as JSON, the bytes. */
export function encode(event: DiskEvent, bytes: Uint8Array = new Uint8Array()): readonly Uint8Array[] {
  const json = Buffer.from(JSON.stringify(event))
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32LE(json.length)
  lengths.writeUInt32LE(bytes.length, 4)
  return [Buffer.concat([lengths, json, bytes])]
}

/** The events of a record, without the last one if the process was killed while it wrote it. */
export function* decode(record: Buffer): Generator<readonly [DiskEvent, Buffer]> {
  for (let at = 0; at + 8 <= record.length; ) {
    const json = at + 8
    const bytes = json + record.readUInt32LE(at)
    const end = bytes + record.readUInt32LE(at + 4)
    if (end > record.length) return
    yield [JSON.parse(record.toString('utf8', json, bytes)) as DiskEvent, record.subarray(bytes, end)]
    at = end
  }
}
