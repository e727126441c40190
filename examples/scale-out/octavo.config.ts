import { defineConfig } from '@octavo/cli'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { purgeVarnish } from './src/purge-varnish.ts'

const setting = (name: string): string => {
  const value = process.env[name]
  if (value) return value
  throw new Error(`The environment variable ${name} is missing; compose.yaml has all of them`)
}
const listOf = (name: string): readonly string[] => setting(name).split(',')

// Without a queue a command fails at once while Redis is away, and the limiter in memory takes over.
const redis = new Redis(setting('REDIS_URL'), { enableOfflineQueue: false, lazyConnect: true })
redis.on('error', () => {})

export default defineConfig({
  content: './content',
  database: setting('DATABASE_URL'),
  directDatabase: setting('DIRECT_DATABASE_URL'),
  replicas: listOf('REPLICA_URLS'),
  // Varnish and nginx.
  proxies: 2,
  metrics: true,
  cache: { tags: 'Surrogate-Key' },
  plugins: [
    draftPublish(),
    usersPermissions({
      permissions: {
        public: ['api::article.article.find', 'api::article.article.findOne'],
        authenticated: ['find', 'findOne', 'create', 'update'].map((name) => `api::article.article.${name}`),
      },
      rateLimit: {
        store: (options) =>
          new RateLimiterRedis({
            storeClient: redis,
            ...options,
            insuranceLimiter: new RateLimiterMemory(options),
          }),
      },
    }),
    purgeVarnish({ urls: listOf('CACHE_URLS') }),
    {
      name: 'redis',
      setup: (host) => {
        host.hook('octavo:start', () =>
          redis.connect().catch((err: unknown) => host.logger.warn({ err }, 'Redis is away')),
        )
        host.hook('octavo:stop', () => redis.disconnect())
      },
    },
  ],
})
