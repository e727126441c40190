import { webhooks } from '@octavo/plugin-webhooks'
import { createServer } from '@octavo/server'

export const server = await createServer({
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'post', pluralName: 'posts' },
      attributes: { title: { type: 'string' } },
    },
  ],
  plugins: [
    webhooks({
      webhooks: [
        {
          name: 'site',
          url: process.env.SITE_HOOK ?? 'https://example.com/hook',
          secrets: [process.env.SITE_SECRET], // whsec_…, for example: echo "whsec_$(openssl rand -base64 32)"
          privateAddresses: process.env.NODE_ENV !== 'production',
        },
      ],
    }),
  ],
  access: 'open', // anybody may write; @octavo/plugin-users-permissions has roles
})
// POST /api/posts { "data": { "title": "Emma" } } sends to the receiver, after the commit:
// x-strapi-event: entry.create
// { "event": "entry.create", "createdAt": "…", "model": "post", "uid": "api::post.post", "entry": { "id": 1, "title": "Emma", … } }
