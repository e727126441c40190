/** Settings of PostgreSQL in this process. */

/**
 * PostgreSQL's own pages in memory. The default of 128 MB would be resident from the start, because WebAssembly allocates memory before it is used. Other pages
 * are mostly in the file cache of the system.
 */
export const sharedBuffers = '16MB'

/**
 * The files that PostgreSQL keeps open, and opens again when it needs more. With its default of 1,000 a database of many tables left no
 * sockets to a process that may open 1,024.
 */
export const openFiles = 400

/**
 * The recovery of a folder has a timer for the lines of its progress, which goes on in this process when the start fails: the process would
 * never end.
 */
export const noTimers = 'log_startup_progress_interval=0'
