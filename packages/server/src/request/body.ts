import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { isObject, Lazy, withPath } from '@octavo/core/internal'
import type { Context } from 'koa'
import type { koaBody } from 'koa-body'
import { problem } from '../error/problems.ts'
import { orGone, orIdle } from './arrival.ts'
import { newFolderIn } from './arriving-folder.ts'
import { unreadable } from './body-errors.ts'
import { type BodyLimits, bodyDepth, type FileLimits, formDepth } from './body-limits.ts'
import { isPlainJson, readJson } from './json-body.ts'
import { parsedBefore, wasRead } from './parsed-body.ts'
import { fieldOf, unescaped } from './utf8.ts'
import { WrittenFiles } from './written-files.ts'

/** A received file on the disk. Its name is the client's and must not be trusted. */
export interface ReceivedFile {
  /** Name of the part: `files`, `files.cover`. */
  readonly field: string
  /** The file name that the client sent. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Path of the file until {@link Received.discard}. The handler may move the file. */
  readonly path: string
}

export type Fields = Readonly<Record<string, unknown>>

/** A body with its files. */
export interface Received {
  /** Empty for a body that is a list. */
  readonly fields: Fields
  /** The items of a body that is a list in JSON; `undefined` for any other. */
  readonly items?: readonly unknown[]
  /** In the order of the body; parts without a chosen file are left out. */
  readonly files: readonly ReceivedFile[]
  /** Removes the files that were not moved. Must always be called. */
  discard(): Promise<void>
}

/** Reads bodies. All methods throw an OctavoError with status 400, 408, 413 or 415 for a body that cannot be read. */
export interface Bodies {
  /** The fields of a body, as JSON, form or multipart; empty without a body. Files are skipped. */
  fields(context: Context): Promise<Fields>
  /** A body that is a list, as it is; of any other body, the result of {@link Bodies.fields}. */
  value(context: Context): Promise<Fields | readonly unknown[]>
  /** The fields and files of a multipart body, or what another body has. No file stays on the disk when it throws. */
  withFiles(context: Context, limits: FileLimits): Promise<Received>
}

type FormidableOptions = NonNullable<NonNullable<Parameters<typeof koaBody>[0]>['formidable']>

export function bodies(limits: BodyLimits): Bodies {
  // Only the handler of a plugin receives files; otherwise they are skipped and never written to disk.
  const past = reader(limits, {
    maxFiles: limits.fields,
    maxFileSize: limits.skippedFiles,
    fileWriteStreamHandler: () => new Writable({ write: (_chunk, _encoding, done) => done() }),
  })
  const parsedOf = async (context: Context): Promise<unknown> => {
    if (wasRead(context)) return parsedBefore(context)
    try {
      if (isPlainJson(context)) return await readJson(context, limits.bodySize)
      await past(context)
    } catch (error) {
      skipRest(context)
      throw await unreadable(error, limits)
    }
    return context.request.body
  }
  return {
    fields: async (context) => fieldsOf(await parsedOf(context)),
    async value(context) {
      const body = await parsedOf(context)
      const fields = fieldsOf(body)
      return Array.isArray(body) ? body : fields
    },
    async withFiles(context, files) {
      // `context.is` takes longer than reading a small body.
      if (isPlainJson(context) || !context.is('multipart') || wasRead(context)) {
        const body = await parsedOf(context)
        const items = Array.isArray(body) ? { items: body } : {}
        return { fields: fieldsOf(body), ...items, files: [], discard: async () => {} }
      }
      const directory = await newFolderIn(files.directory ?? tmpdir())
      let count = 0
      const written = new WrittenFiles()
      const discard = () => rm(directory, { recursive: true, force: true })
      const read = reader(limits, {
        maxFiles: files.files,
        maxFileSize: files.fileSize,
        maxTotalFileSize: files.fileSize * files.files,
        uploadDir: directory,
        // The path never contains a name from the client. Files finish in any order; this index is their order in the body.
        filename: () => String(count++),
        // Given by formidable, whose types have no file here.
        fileWriteStreamHandler: (file?: unknown) =>
          written.open((file as { readonly filepath: string }).filepath),
      })
      try {
        await orIdle(read(context), context, files.idle)
        await written.complete()
        return { fields: fieldsOf(context.request.body), files: filesOf(context), discard }
      } catch (error) {
        skipRest(context)
        await written.abandon()
        await discard()
        throw await unreadable(withPath(error, directory), limits, files)
      }
    },
  }
}

/**
 * Reads the rest of a body that is refused: the next request of the connection is behind it, and may be that of another client of a proxy.
 * Node.js does so only for a body of which nothing was read.
 */
function skipRest({ req }: Context): void {
  req.unpipe()
  req.resume()
}

/**
 * Reads the body once into `context.request`. koa-body parses packed JSON and forms, and multipart bodies with formidable,
 * which enforces the limits below; busboy would replace formidable only, and leave the writing of files to this package.
 *
 * koa-body is loaded by the first body: with its dependencies it is a sixth of the modules of a server, which starts the
 * sooner without them.
 */
function reader(limits: BodyLimits, files: FormidableOptions): (context: Context) => Promise<void> {
  const reading = new Lazy(() => makeReader(limits, files))
  return async (context) => {
    const read = await reading.get()
    await orGone(
      read(context, async () => {}),
      context.req,
    )
    const { body } = context.request
    if (context.is('multipart') && isObject(body))
      for (const [name, value] of Object.entries(body)) body[name] = fieldOf(value, name) as never // koa-body's type is of JSON values only
  }
}

async function makeReader(limits: BodyLimits, files: FormidableOptions): Promise<ReturnType<typeof koaBody>> {
  const { koaBody } = await import('koa-body')
  return koaBody({
    jsonLimit: limits.bodySize,
    formLimit: limits.bodySize,
    textLimit: limits.bodySize,
    multipart: true,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never, // the names of koa-body's enum of methods
    // Without these options qs silently truncates input above its limits.
    queryString: {
      depth: formDepth,
      strictDepth: true,
      parameterLimit: limits.fields,
      arrayLimit: limits.fields,
      throwOnLimitExceeded: true,
      decoder: unescaped,
    },
    formidable: {
      maxFieldsSize: limits.bodySize,
      maxFields: limits.fields,
      minFileSize: 0,
      allowEmptyFiles: true,
      onPart: (part, handle) => {
        // A part with a file name is a file, a part without one is a field, whatever its content type.
        if (part.originalFilename === null) {
          part.mimetype = null
          // formidable replaces other bytes silently, so a field arrives as bytes, and is read as UTF-8 afterwards.
          const field: typeof part & { transferEncoding?: string } = part // its type lacks the property
          if (field.transferEncoding === 'utf-8') field.transferEncoding = 'latin1'
        } else part.mimetype ??= 'application/octet-stream'
        return handle(part)
      },
      ...files,
    },
  })
}

function fieldsOf(body: unknown): Fields {
  checkDepth(body)
  return isObject(body) ? body : {}
}

function filesOf({ request }: Context): readonly ReceivedFile[] {
  const files = Object.entries(request.files ?? {}).flatMap(([field, files]) =>
    [files].flat().map(({ originalFilename, size, filepath }) => ({
      field,
      name: originalFilename ?? '',
      size,
      path: filepath,
    })),
  )
  return files
    .filter(({ name, size }) => name !== '' || size > 0)
    .sort((a, b) => Number(path.basename(a.path)) - Number(path.basename(b.path)))
}

/**
 * Bounds the depth of later recursive code.
 *
 * @throws ValidationError when lists and objects go deeper than any body may; MalformedBodyError for a member `__proto__`, which would
 *   be the prototype of a copy
 */
export function checkDepth(body: unknown, depth = 1): void {
  if (typeof body !== 'object' || body === null) return
  if (depth > bodyDepth) throw problem('body/too-deep', { limit: bodyDepth })
  if (Object.hasOwn(body, '__proto__'))
    throw problem('body/malformed', { message: 'The body has a member "__proto__", which no body may have.' })
  // A list of the values of an object with 80,000 names takes as long as to parse it.
  if (Array.isArray(body)) for (const value of body) checkDepth(value, depth + 1)
  else for (const name in body) checkDepth((body as Fields)[name], depth + 1)
}
