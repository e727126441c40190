export interface paths {
    "/api/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List entries of Article */
        get: operations["findArticles"];
        put?: never;
        /** Create an entry of Article */
        post: operations["createArticle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** Read an entry of Article */
        get: operations["findOneArticle"];
        /** Update an entry of Article */
        put: operations["updateArticle"];
        post?: never;
        /** Delete an entry of Article */
        delete: operations["deleteArticle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/authors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List entries of Author */
        get: operations["findAuthors"];
        put?: never;
        /** Create an entry of Author */
        post: operations["createAuthor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/authors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** Read an entry of Author */
        get: operations["findOneAuthor"];
        /** Update an entry of Author */
        put: operations["updateAuthor"];
        post?: never;
        /** Delete an entry of Author */
        delete: operations["deleteAuthor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/homepage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read Homepage */
        get: operations["findHomepage"];
        /** Create or update Homepage */
        put: operations["updateHomepage"];
        post?: never;
        /** Delete Homepage */
        delete: operations["deleteHomepage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload files, or change the record of one */
        post: operations["upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List files */
        get: operations["findFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload/uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries that use files
         * @description In attributes of their own, and in components and zones at any depth. `filters`, `sort`, `start` and `limit` choose files as `GET /upload/files` does. Of a file that very many entries use, the first 200 uses that are found are looked at, of many files fewer.
         */
        get: operations["findUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** Read the record of a file */
        get: operations["findOneFile"];
        put?: never;
        post?: never;
        /** Delete a file */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the folders of files */
        get: operations["findFolders"];
        put?: never;
        /** Create a folder */
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload/folders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** Read a folder */
        get: operations["findOneFolder"];
        /** Rename a folder, or move it with all that is in it */
        put: operations["updateFolder"];
        post?: never;
        /** Delete a folder with the folders and files in it */
        delete: operations["deleteFolder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload/folders/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move files and folders */
        post: operations["moveFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        /**
         * Read a file
         * @description At the address in `url` of its record.
         */
        get: operations["readFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log in */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/local/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an account */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an email with a code for a new password */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with a code */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with the present one */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Confirm an email address */
        get: operations["confirmEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/send-email-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the email of a confirmation again */
        post: operations["sendEmailConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users */
        get: operations["findUsers"];
        put?: never;
        /** Create a user */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count users */
        get: operations["countUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the own account */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** Read a user */
        get: operations["findOneUser"];
        /** Update a user */
        put: operations["updateUser"];
        post?: never;
        /** Delete a user */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users-permissions/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List roles */
        get: operations["findRoles"];
        put?: never;
        /** Create a role */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users-permissions/roles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** Read a role with its permissions */
        get: operations["findOneRole"];
        /** Update a role */
        put: operations["updateRole"];
        post?: never;
        /**
         * Delete a role
         * @description Its users get the role `public`.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users-permissions/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List everything that a role may be permitted */
        get: operations["findPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/{id}/localizations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a localization of an entry of Article
         * @description The attributes are not in `data`. The new entry is a draft unless the body has `publishedAt`.
         */
        post: operations["localizeArticle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/i18n/locales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all locales */
        get: operations["findLocales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content-type-builder/content-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the definitions of content-types */
        get: operations["getContentTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content-type-builder/content-types/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        /** Read the definition of a content-type */
        get: operations["getContentType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content-type-builder/components": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the definitions of components */
        get: operations["getComponents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content-type-builder/components/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        /** Read the definition of a component */
        get: operations["getComponent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description, as OpenAPI 3.1 */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the database answers */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process runs */
        get: operations["healthLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests are accepted */
        get: operations["healthReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Article: {
            id: number;
            /** @example A text */
            title?: string | null;
            /** @example A text with **bold** words. */
            body?: string | null;
            /**
             * @description Rich text as a list of blocks.
             * @example [
             *       {
             *         "type": "paragraph",
             *         "children": [
             *           {
             *             "type": "text",
             *             "text": "A paragraph."
             *           }
             *         ]
             *       }
             *     ]
             */
            text?: ({
                /** @description Blocks of other types may be stored, as by an import, and remain; new ones are refused. */
                type: ("paragraph" | "quote" | "heading" | "code" | "image" | "list") | string;
                level?: number;
                /** @enum {unknown} */
                format?: "ordered" | "unordered";
                children?: {
                    [key: string]: unknown;
                }[];
            } & {
                [key: string]: unknown;
            })[] | null;
            /**
             * Format: int32
             * @example 7
             */
            views?: number | null;
            cover?: components["schemas"]["File"] | null;
            author?: components["schemas"]["Author"] | null;
            seo?: components["schemas"]["SharedSeoComponent"] | null;
            /** @example A text */
            locale?: string | null;
            localizations?: components["schemas"]["Article"][] | components["schemas"]["FlatCount"] | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            publishedAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
        };
        ArticleAttributes: {
            /** @example A text */
            title?: string | null;
            /** @example A text with **bold** words. */
            body?: string | null;
            /**
             * @description Rich text as a list of blocks.
             * @example [
             *       {
             *         "type": "paragraph",
             *         "children": [
             *           {
             *             "type": "text",
             *             "text": "A paragraph."
             *           }
             *         ]
             *       }
             *     ]
             */
            text?: ({
                /** @description Blocks of other types may be stored, as by an import, and remain; new ones are refused. */
                type: ("paragraph" | "quote" | "heading" | "code" | "image" | "list") | string;
                level?: number;
                /** @enum {unknown} */
                format?: "ordered" | "unordered";
                children?: {
                    [key: string]: unknown;
                }[];
            } & {
                [key: string]: unknown;
            })[] | null;
            /**
             * Format: int32
             * @example 7
             */
            views?: number | null;
            cover?: {
                data: components["schemas"]["FileEntry"] | null;
            };
            author?: {
                data: components["schemas"]["AuthorEntry"] | null;
            };
            seo?: components["schemas"]["SharedSeoComponent"] | null;
            /** @example A text */
            locale?: string | null;
            localizations?: {
                data: components["schemas"]["ArticleEntry"][] | components["schemas"]["Count"];
            };
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            publishedAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
        };
        ArticleCreate: {
            /** @example A text */
            title?: string | null;
            /** @example A text with **bold** words. */
            body?: string | null;
            /**
             * @description Rich text as a list of blocks.
             * @example [
             *       {
             *         "type": "paragraph",
             *         "children": [
             *           {
             *             "type": "text",
             *             "text": "A paragraph."
             *           }
             *         ]
             *       }
             *     ]
             */
            text?: ({
                /** @description Blocks of other types may be stored, as by an import, and remain; new ones are refused. */
                type: ("paragraph" | "quote" | "heading" | "code" | "image" | "list") | string;
                level?: number;
                /** @enum {unknown} */
                format?: "ordered" | "unordered";
                children?: {
                    [key: string]: unknown;
                }[];
            } & {
                [key: string]: unknown;
            })[] | null;
            /**
             * Format: int32
             * @example 7
             */
            views?: number | string | null;
            cover?: components["schemas"]["RelationToOne"];
            author?: components["schemas"]["RelationToOne"];
            seo?: components["schemas"]["SharedSeoComponentInput"] | null;
            /** @example A text */
            locale?: string | null;
            /** @example 2026-02-28T09:30:00.000Z */
            publishedAt?: string | number | null;
        };
        ArticleEntry: {
            id: number;
            attributes: components["schemas"]["ArticleAttributes"];
            meta?: {
                availableLocales?: string[];
            };
        };
        ArticleFilters: {
            id?: components["schemas"]["NumberOperators"];
            title?: components["schemas"]["StringOperators"];
            body?: components["schemas"]["StringOperators"];
            text?: components["schemas"]["StringAnyPrefixEqualsJsonOperators"];
            views?: components["schemas"]["NumberOperators"];
            author?: components["schemas"]["AuthorFilters"];
            seo?: components["schemas"]["SharedSeoComponentFilters"];
            locale?: components["schemas"]["StringOperators"];
            localizations?: components["schemas"]["ArticleFilters"];
            publishedAt?: components["schemas"]["StringOperators"];
            createdAt?: components["schemas"]["StringOperators"];
            updatedAt?: components["schemas"]["StringOperators"];
            $and?: components["schemas"]["ArticleFilters"][];
            $or?: components["schemas"]["ArticleFilters"][];
            $not?: components["schemas"]["ArticleFilters"];
        };
        ArticleListResponse: {
            data: components["schemas"]["ArticleEntry"][];
            meta: {
                pagination?: components["schemas"]["Pagination"];
            };
        };
        ArticleResponse: {
            data: components["schemas"]["ArticleEntry"];
            meta: {
                [key: string]: unknown;
            };
        };
        ArticleUpdate: {
            /** @example A text */
            title?: string | null;
            /** @example A text with **bold** words. */
            body?: string | null;
            /**
             * @description Rich text as a list of blocks.
             * @example [
             *       {
             *         "type": "paragraph",
             *         "children": [
             *           {
             *             "type": "text",
             *             "text": "A paragraph."
             *           }
             *         ]
             *       }
             *     ]
             */
            text?: ({
                /** @description Blocks of other types may be stored, as by an import, and remain; new ones are refused. */
                type: ("paragraph" | "quote" | "heading" | "code" | "image" | "list") | string;
                level?: number;
                /** @enum {unknown} */
                format?: "ordered" | "unordered";
                children?: {
                    [key: string]: unknown;
                }[];
            } & {
                [key: string]: unknown;
            })[] | null;
            /**
             * Format: int32
             * @example 7
             */
            views?: number | string | null;
            cover?: components["schemas"]["RelationToOne"];
            author?: components["schemas"]["RelationToOne"];
            seo?: components["schemas"]["SharedSeoComponentInput"] | null;
            /** @example A text */
            locale?: string | null;
            /** @example 2026-02-28T09:30:00.000Z */
            publishedAt?: string | number | null;
        };
        AuthOk: {
            /** @constant */
            ok: true;
        };
        AuthRole: {
            id: number;
            name: string;
            description?: string | null;
            /** @description The key of the role, for example `public`. */
            type: string;
            /** Format: date-time */
            createdAt?: string | null;
            /** Format: date-time */
            updatedAt?: string | null;
            /** @description The number of users with the role. */
            nb_users?: number;
            permissions?: components["schemas"]["PermissionTree"];
        };
        AuthSession: {
            /** @description For `Authorization: Bearer …`. */
            jwt: string;
            user: components["schemas"]["User"];
        };
        Author: {
            id: number;
            /** @example A text */
            name?: string;
            articles?: components["schemas"]["Article"][] | components["schemas"]["FlatCount"] | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
        };
        AuthorAttributes: {
            /** @example A text */
            name?: string;
            articles?: {
                data: components["schemas"]["ArticleEntry"][] | components["schemas"]["Count"];
            };
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
        };
        AuthorCreate: {
            /** @example A text */
            name: string;
            articles?: components["schemas"]["RelationToMany"];
        };
        AuthorEntry: {
            id: number;
            attributes: components["schemas"]["AuthorAttributes"];
            meta?: {
                availableLocales?: string[];
            };
        };
        AuthorFilters: {
            id?: components["schemas"]["NumberOperators"];
            name?: components["schemas"]["StringOperators"];
            articles?: components["schemas"]["ArticleFilters"];
            createdAt?: components["schemas"]["StringOperators"];
            updatedAt?: components["schemas"]["StringOperators"];
            $and?: components["schemas"]["AuthorFilters"][];
            $or?: components["schemas"]["AuthorFilters"][];
            $not?: components["schemas"]["AuthorFilters"];
        };
        AuthorListResponse: {
            data: components["schemas"]["AuthorEntry"][];
            meta: {
                pagination?: components["schemas"]["Pagination"];
            };
        };
        AuthorResponse: {
            data: components["schemas"]["AuthorEntry"];
            meta: {
                [key: string]: unknown;
            };
        };
        AuthorUpdate: {
            /** @example A text */
            name?: string;
            articles?: components["schemas"]["RelationToMany"];
        };
        /** @description The number of related entries, with `populate[…][count]=true`. */
        Count: {
            attributes: {
                count: number;
            };
        };
        /** @description The answer of a request that failed. */
        Error: {
            data: null;
            error: {
                /**
                 * @description The HTTP status.
                 * @example 400
                 */
                status: number;
                /**
                 * @description The kind of error.
                 * @example ValidationError
                 */
                name: string;
                message: string;
                details: {
                    /**
                     * @description The error as a stable code.
                     * @example query/unknown-attribute
                     */
                    code: string;
                    /** @description One element for each mistake. */
                    errors?: {
                        path: string[];
                        message: string;
                        name: string;
                    }[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        File: {
            id: number;
            /** @example A text */
            name?: string;
            /** @example A text */
            alternativeText?: string | null;
            /** @example A text */
            caption?: string | null;
            /**
             * Format: int32
             * @example 7
             */
            width?: number | null;
            /**
             * Format: int32
             * @example 7
             */
            height?: number | null;
            /**
             * @example {
             *       "any": "value"
             *     }
             */
            formats?: unknown;
            /** @example A text */
            hash?: string;
            /** @example A text */
            ext?: string | null;
            /** @example A text */
            mime?: string;
            /** @example 19.99 */
            size?: number;
            /** @example A text */
            url?: string;
            /** @example A text */
            previewUrl?: string | null;
            /** @example A text */
            provider?: string;
            /**
             * @example {
             *       "any": "value"
             *     }
             */
            provider_metadata?: unknown;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
            related?: components["schemas"]["Use"][];
        };
        FileAttributes: {
            /** @example A text */
            name?: string;
            /** @example A text */
            alternativeText?: string | null;
            /** @example A text */
            caption?: string | null;
            /**
             * Format: int32
             * @example 7
             */
            width?: number | null;
            /**
             * Format: int32
             * @example 7
             */
            height?: number | null;
            /**
             * @example {
             *       "any": "value"
             *     }
             */
            formats?: unknown;
            /** @example A text */
            hash?: string;
            /** @example A text */
            ext?: string | null;
            /** @example A text */
            mime?: string;
            /** @example 19.99 */
            size?: number;
            /** @example A text */
            url?: string;
            /** @example A text */
            previewUrl?: string | null;
            /** @example A text */
            provider?: string;
            /**
             * @example {
             *       "any": "value"
             *     }
             */
            provider_metadata?: unknown;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
            related?: components["schemas"]["Use"][];
        };
        FileEntry: {
            id: number;
            attributes: components["schemas"]["FileAttributes"];
            meta?: {
                availableLocales?: string[];
            };
        };
        FileInfo: {
            name?: string;
            alternativeText?: string | null;
            caption?: string | null;
            /** @description The folder that the file goes to, for callers who may list folders. */
            folder?: number | null;
        };
        /** @description The number of related entries, with `populate[…][count]=true`. */
        FlatCount: {
            count: number;
        };
        Folder: {
            id: number;
            name: string;
            /** @description The folder that it is in; null at the root. */
            parent: number | null;
            /**
             * @description The ids from the root.
             * @example /3/17
             */
            path: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        FolderInput: {
            name?: string;
            parent?: number | null;
        };
        FolderMove: {
            files?: number[];
            folders?: number[];
            to: number | null;
        };
        HomepageAttributes: {
            /** @example A text */
            welcome?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
        };
        HomepageEntry: {
            id: number;
            attributes: components["schemas"]["HomepageAttributes"];
            meta?: {
                availableLocales?: string[];
            };
        };
        HomepageResponse: {
            data: components["schemas"]["HomepageEntry"];
            meta: {
                [key: string]: unknown;
            };
        };
        HomepageUpdate: {
            /** @example A text */
            welcome?: string | null;
        };
        Locale: {
            id: number;
            /** @example A text */
            name?: string | null;
            /** @example A text */
            code?: string;
            /** @example false */
            isDefault?: boolean | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
        };
        NumberOperators: {
            /** @description equal */
            $eq?: number | string;
            /** @description equal, case-insensitive */
            $eqi?: string;
            /** @description not equal */
            $ne?: number | string;
            /** @description not equal, case-insensitive */
            $nei?: string;
            /** @description less than */
            $lt?: number | string;
            /** @description less than or equal */
            $lte?: number | string;
            /** @description greater than */
            $gt?: number | string;
            /** @description greater than or equal */
            $gte?: number | string;
            /** @description one of */
            $in?: (number | string)[];
            /** @description none of */
            $notIn?: (number | string)[];
            /** @description contains */
            $contains?: string;
            /** @description does not contain */
            $notContains?: string;
            /** @description contains, case-insensitive */
            $containsi?: string;
            /** @description does not contain, case-insensitive */
            $notContainsi?: string;
            /** @description starts with, case-insensitive */
            $startsWithi?: string;
            /** @description ends with */
            $endsWith?: string;
            /** @description ends with, case-insensitive */
            $endsWithi?: string;
            /** @description is null */
            $null?: boolean | string;
            /** @description is not null */
            $notNull?: boolean | string;
            /** @description between two values, both included */
            $between?: (number | string)[];
        };
        /** @description By pages, by an offset, or by cursors, as in the request. */
        Pagination: {
            page?: number;
            pageSize?: number;
            pageCount?: number;
            start?: number;
            limit?: number;
            /** @description Absent with `pagination[withCount]=false`. */
            total?: number;
            /**
             * @description Whether the total is an estimate.
             * @constant
             */
            estimated?: true;
            cursors?: {
                before: string | null;
                after: string | null;
            };
        };
        /** @description Owner (`api::article`) → controllers → actions. */
        PermissionTree: {
            [key: string]: {
                controllers: {
                    [key: string]: {
                        [key: string]: {
                            enabled: boolean;
                            policy?: string;
                        };
                    };
                };
            };
        };
        /** @description A relation, component or zone to populate, with the parameters of its own query. */
        Populate: boolean | "*" | ({
            fields?: string[];
            filters?: {
                [key: string]: unknown;
            };
            sort?: string | string[];
            populate?: string | string[] | {
                [key: string]: components["schemas"]["Populate"];
            };
            start?: number;
            limit?: number;
            /** @description Answers the number of related entries instead of them, and `{ count }` in place of components, whose schemas leave this form out. */
            count?: boolean;
            /** @description Of a zone: the components to populate, by uid. */
            on?: {
                [key: string]: components["schemas"]["Populate"];
            };
        } & {
            [key: string]: unknown;
        });
        RelationChange: {
            connect?: ((number | string) | {
                /** @description The id of an entry. */
                id: number | string;
                /** @description The place among the related entries. Default: at the end. */
                position?: {
                    /** @description The id of an entry. */
                    before?: number | string;
                    /** @description The id of an entry. */
                    after?: number | string;
                    /** @constant */
                    start?: true;
                    /** @constant */
                    end?: true;
                };
            }) | ((number | string) | {
                /** @description The id of an entry. */
                id: number | string;
                /** @description The place among the related entries. Default: at the end. */
                position?: {
                    /** @description The id of an entry. */
                    before?: number | string;
                    /** @description The id of an entry. */
                    after?: number | string;
                    /** @constant */
                    start?: true;
                    /** @constant */
                    end?: true;
                };
            })[];
            disconnect?: ((number | string) | {
                /** @description The id of an entry. */
                id: number | string;
            }) | ((number | string) | {
                /** @description The id of an entry. */
                id: number | string;
            })[];
            set?: ((number | string) | {
                /** @description The id of an entry. */
                id: number | string;
            }) | ((number | string) | {
                /** @description The id of an entry. */
                id: number | string;
            })[] | null;
            options?: {
                /** @description Whether a position beside an entry that is not related is an error. Default true. */
                strict?: boolean;
            };
        };
        /** @description The ids of all related entries, or a change of the relation. */
        RelationToMany: ((number | string) | {
            /** @description The id of an entry. */
            id: number | string;
        }) | ((number | string) | {
            /** @description The id of an entry. */
            id: number | string;
        })[] | components["schemas"]["RelationChange"] | null;
        /** @description The id of the related entry, or a change of the relation. */
        RelationToOne: ((number | string) | {
            /** @description The id of an entry. */
            id: number | string;
        }) | ((number | string) | {
            /** @description The id of an entry. */
            id: number | string;
        })[] | components["schemas"]["RelationChange"] | null;
        Role: {
            id: number;
            /** @example A text */
            name?: string;
            /** @example A text */
            description?: string | null;
            /** @example A text */
            type?: string;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
        };
        SharedSeoComponent: {
            id: number;
            /** @example A text */
            title?: string | null;
        };
        SharedSeoComponentFilters: {
            title?: components["schemas"]["StringOperators"];
            $and?: components["schemas"]["SharedSeoComponentFilters"][];
            $or?: components["schemas"]["SharedSeoComponentFilters"][];
            $not?: components["schemas"]["SharedSeoComponentFilters"];
        };
        SharedSeoComponentInput: {
            /** @description The component of the entry to change; without it a new one. */
            id?: number;
            /** @example A text */
            title?: string | null;
        };
        StringAnyPrefixEqualsJsonOperators: {
            /** @description equal */
            $eq?: string;
            /** @description equal, case-insensitive */
            $eqi?: string;
            /** @description not equal */
            $ne?: string;
            /** @description not equal, case-insensitive */
            $nei?: string;
            /** @description one of */
            $in?: string[];
            /** @description none of */
            $notIn?: string[];
            /** @description contains */
            $contains?: string;
            /** @description does not contain */
            $notContains?: string;
            /** @description contains, case-insensitive */
            $containsi?: string;
            /** @description does not contain, case-insensitive */
            $notContainsi?: string;
            /** @description starts with */
            $startsWith?: string;
            /** @description starts with, case-insensitive */
            $startsWithi?: string;
            /** @description ends with */
            $endsWith?: string;
            /** @description ends with, case-insensitive */
            $endsWithi?: string;
            /** @description is null */
            $null?: boolean | string;
            /** @description is not null */
            $notNull?: boolean | string;
            /**
             * @description is equal to the JSON
             * @example {"a":1}
             */
            $equalsJson?: string;
        };
        StringOperators: {
            /** @description equal */
            $eq?: string;
            /** @description equal, case-insensitive */
            $eqi?: string;
            /** @description not equal */
            $ne?: string;
            /** @description not equal, case-insensitive */
            $nei?: string;
            /** @description less than */
            $lt?: string;
            /** @description less than or equal */
            $lte?: string;
            /** @description greater than */
            $gt?: string;
            /** @description greater than or equal */
            $gte?: string;
            /** @description one of */
            $in?: string[];
            /** @description none of */
            $notIn?: string[];
            /** @description contains */
            $contains?: string;
            /** @description does not contain */
            $notContains?: string;
            /** @description contains, case-insensitive */
            $containsi?: string;
            /** @description does not contain, case-insensitive */
            $notContainsi?: string;
            /** @description starts with */
            $startsWith?: string;
            /** @description starts with, case-insensitive */
            $startsWithi?: string;
            /** @description ends with */
            $endsWith?: string;
            /** @description ends with, case-insensitive */
            $endsWithi?: string;
            /** @description is null */
            $null?: boolean | string;
            /** @description is not null */
            $notNull?: boolean | string;
            /** @description between two values, both included */
            $between?: string[];
        };
        /** @description An entry that uses another one, with its fields and populated parts, without envelopes. */
        Use: {
            /** @description The uid of the content-type. */
            __type: string;
            id: number;
        } & {
            [key: string]: unknown;
        };
        User: {
            id: number;
            /** @example A text */
            username?: string;
            /**
             * Format: email
             * @example ada@example.org
             */
            email?: string;
            /** @example A text */
            provider?: string | null;
            /** @example false */
            confirmed?: boolean | null;
            /** @example false */
            blocked?: boolean | null;
            role?: components["schemas"]["Role"] | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-02-28T09:30:00.000Z
             */
            updatedAt?: string | null;
        };
        UserCreate: {
            /** @example A text */
            username: string;
            /**
             * Format: email
             * @example ada@example.org
             */
            email: string;
            /** @example A text */
            provider?: string | null;
            /**
             * @default false
             * @example false
             */
            confirmed: boolean | string | number | null;
            /**
             * @default false
             * @example false
             */
            blocked: boolean | string | number | null;
            /** @example Secret-123 */
            password?: string | null;
            role?: components["schemas"]["RelationToOne"];
        };
        UserUpdate: {
            /** @example A text */
            username?: string;
            /**
             * Format: email
             * @example ada@example.org
             */
            email?: string;
            /** @example A text */
            provider?: string | null;
            /**
             * @default false
             * @example false
             */
            confirmed: boolean | string | number | null;
            /**
             * @default false
             * @example false
             */
            blocked: boolean | string | number | null;
            /** @example Secret-123 */
            password?: string | null;
            role?: components["schemas"]["RelationToOne"];
        };
    };
    responses: {
        /** @description The request has mistakes. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credentials are not valid. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller may not do this. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such entry, or the caller may not read it. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than allowed. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many attempts; `Retry-After` has the seconds to wait. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other error. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    findArticles: {
        parameters: {
            query?: {
                /**
                 * @description Conditions, all of which must hold: `filters[title][$eq]=Emma`, through relations `filters[author][name][$contains]=a`.
                 * @example {
                 *       "title": {
                 *         "$notNull": true
                 *       }
                 *     }
                 */
                filters?: components["schemas"]["ArticleFilters"];
                /** @description Attributes, each with `:asc` or `:desc`, the most significant first. Default: by id. */
                sort?: string[];
                /**
                 * @description `page` with `pageSize`, or `start` with `limit`, or `after` or `before` with `pageSize`. Default: the first page.
                 * @example {
                 *       "page": 1,
                 *       "pageSize": 10
                 *     }
                 */
                pagination?: {
                    page?: number;
                    pageSize?: number;
                    start?: number;
                    limit?: number;
                    /** @description A cursor, or empty for the first page with cursors. */
                    after?: string;
                    before?: string;
                    withCount?: boolean;
                };
                /** @description A phrase that occurs in any text attribute, without regard to case. */
                _q?: string;
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "title" | "body" | "text" | "views" | "locale" | "publishedAt" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    cover?: components["schemas"]["Populate"];
                    author?: components["schemas"]["Populate"];
                    seo?: components["schemas"]["Populate"];
                    localizations?: components["schemas"]["Populate"];
                };
                /** @description A code, or `all`. Default: the default locale. */
                locale?: string;
                /** @description Whether entries of the default locale are returned where there is none in `locale`. */
                fallback?: boolean;
                /** @description `availableLocales` adds the other locales of each entry. */
                meta?: "availableLocales";
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    createArticle: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "title" | "body" | "text" | "views" | "locale" | "publishedAt" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    cover?: components["schemas"]["Populate"];
                    author?: components["schemas"]["Populate"];
                    seo?: components["schemas"]["Populate"];
                    localizations?: components["schemas"]["Populate"];
                };
                /** @description A code, or `all`. Default: the default locale. */
                locale?: string;
                /** @description Whether entries of the default locale are returned where there is none in `locale`. */
                fallback?: boolean;
                /** @description `availableLocales` adds the other locales of each entry. */
                meta?: "availableLocales";
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["ArticleCreate"];
                };
                "multipart/form-data": {
                    /** @description The attributes, as JSON. */
                    data: string;
                    /** Format: binary */
                    "files.cover"?: string;
                };
            };
        };
        responses: {
            /** @description The created entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    findOneArticle: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "title" | "body" | "text" | "views" | "locale" | "publishedAt" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    cover?: components["schemas"]["Populate"];
                    author?: components["schemas"]["Populate"];
                    seo?: components["schemas"]["Populate"];
                    localizations?: components["schemas"]["Populate"];
                };
                /** @description A code, or `all`. Default: the default locale. */
                locale?: string;
                /** @description Whether entries of the default locale are returned where there is none in `locale`. */
                fallback?: boolean;
                /** @description `availableLocales` adds the other locales of each entry. */
                meta?: "availableLocales";
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    updateArticle: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "title" | "body" | "text" | "views" | "locale" | "publishedAt" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    cover?: components["schemas"]["Populate"];
                    author?: components["schemas"]["Populate"];
                    seo?: components["schemas"]["Populate"];
                    localizations?: components["schemas"]["Populate"];
                };
                /** @description A code, or `all`. Default: the default locale. */
                locale?: string;
                /** @description Whether entries of the default locale are returned where there is none in `locale`. */
                fallback?: boolean;
                /** @description `availableLocales` adds the other locales of each entry. */
                meta?: "availableLocales";
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["ArticleUpdate"];
                };
                "multipart/form-data": {
                    /** @description The attributes, as JSON. */
                    data: string;
                    /** Format: binary */
                    "files.cover"?: string;
                };
            };
        };
        responses: {
            /** @description The updated entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteArticle: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "title" | "body" | "text" | "views" | "locale" | "publishedAt" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    cover?: components["schemas"]["Populate"];
                    author?: components["schemas"]["Populate"];
                    seo?: components["schemas"]["Populate"];
                    localizations?: components["schemas"]["Populate"];
                };
                /** @description A code, or `all`. Default: the default locale. */
                locale?: string;
                /** @description Whether entries of the default locale are returned where there is none in `locale`. */
                fallback?: boolean;
                /** @description `availableLocales` adds the other locales of each entry. */
                meta?: "availableLocales";
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    findAuthors: {
        parameters: {
            query?: {
                /**
                 * @description Conditions, all of which must hold: `filters[title][$eq]=Emma`, through relations `filters[author][name][$contains]=a`.
                 * @example {
                 *       "name": {
                 *         "$notNull": true
                 *       }
                 *     }
                 */
                filters?: components["schemas"]["AuthorFilters"];
                /** @description Attributes, each with `:asc` or `:desc`, the most significant first. Default: by id. */
                sort?: string[];
                /**
                 * @description `page` with `pageSize`, or `start` with `limit`, or `after` or `before` with `pageSize`. Default: the first page.
                 * @example {
                 *       "page": 1,
                 *       "pageSize": 10
                 *     }
                 */
                pagination?: {
                    page?: number;
                    pageSize?: number;
                    start?: number;
                    limit?: number;
                    /** @description A cursor, or empty for the first page with cursors. */
                    after?: string;
                    before?: string;
                    withCount?: boolean;
                };
                /** @description A phrase that occurs in any text attribute, without regard to case. */
                _q?: string;
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "name" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    articles?: components["schemas"]["Populate"];
                };
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    createAuthor: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "name" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    articles?: components["schemas"]["Populate"];
                };
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["AuthorCreate"];
                };
            };
        };
        responses: {
            /** @description The created entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    findOneAuthor: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "name" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    articles?: components["schemas"]["Populate"];
                };
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    updateAuthor: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "name" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    articles?: components["schemas"]["Populate"];
                };
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["AuthorUpdate"];
                };
            };
        };
        responses: {
            /** @description The updated entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteAuthor: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "name" | "createdAt" | "updatedAt" | "*")[];
                /** @description Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own. */
                populate?: string | string[] | {
                    articles?: components["schemas"]["Populate"];
                };
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    findHomepage: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "welcome" | "createdAt" | "updatedAt" | "*")[];
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HomepageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    updateHomepage: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "welcome" | "createdAt" | "updatedAt" | "*")[];
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["HomepageUpdate"];
                };
            };
        };
        responses: {
            /** @description The updated entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HomepageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteHomepage: {
        parameters: {
            query?: {
                /** @description The attributes in the answer; the id is always there. Default: all. */
                fields?: ("id" | "welcome" | "createdAt" | "updatedAt" | "*")[];
                /** @description `live`: published entries; `preview`: drafts as well, at every level. Default `live`. */
                publicationState?: "live" | "preview";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HomepageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    upload: {
        parameters: {
            query?: {
                /** @description The file to change or to replace. */
                id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    files?: string[];
                    /** @description JSON: an object, or with several files a list of one for each. */
                    fileInfo?: components["schemas"]["FileInfo"] | components["schemas"]["FileInfo"][] | string;
                    /** @description The uid of the content-type to attach the files to. */
                    ref?: string;
                    /** @description The id of the entry. */
                    refId?: number | string;
                    /** @description The media attribute. */
                    field?: string;
                };
            };
        };
        responses: {
            /** @description The records of the files; with `id` one record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"][] | components["schemas"]["File"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    findFiles: {
        parameters: {
            query?: {
                /**
                 * @description Conditions on attributes of files, as in lists of entries.
                 * @example {
                 *       "mime": {
                 *         "$startsWith": "image/"
                 *       }
                 *     }
                 */
                filters?: {
                    [key: string]: unknown;
                };
                /** @description Attributes, each with `:asc` or `:desc`. */
                sort?: string[];
                start?: number;
                /** @description Default: all files. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The records. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    findUses: {
        parameters: {
            query?: {
                /** @description Attributes of the entries, with commas between them. Default: none. */
                entryFields?: string;
                /** @description The greatest number of entries of each file. */
                uses?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files with their uses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        name: string;
                        uses: {
                            /** @description The uid of the content-type. */
                            __type: string;
                            id: number;
                            /** @description The attributes that `entryFields` names. */
                            attributes: {
                                [key: string]: unknown;
                            };
                            places: {
                                uid: string;
                                attribute: string;
                            }[][];
                        }[];
                        /** @description Whether there are more than `uses` has. */
                        more: boolean;
                    }[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    findOneFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    findFolders: {
        parameters: {
            query?: {
                /** @description The only fields that each folder has beside its id: `name,parent`. Default: all. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All folders, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    createFolder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FolderInput"];
            };
        };
        responses: {
            /** @description The folder. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    findOneFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The folder. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    updateFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FolderInput"];
            };
        };
        responses: {
            /** @description The folder. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted folder. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    moveFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FolderMove"];
            };
        };
        responses: {
            /** @description The moved files and folders. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderMove"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    readFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A username or an email address. */
                    identifier: string;
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    username: string;
                    /** Format: email */
                    email: string;
                    /** Format: password */
                    password: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Always, whether or not there is such a user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                    /** Format: password */
                    password: string;
                    /** Format: password */
                    passwordConfirmation: string;
                };
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: password */
                    currentPassword: string;
                    /** Format: password */
                    password: string;
                    /** Format: password */
                    passwordConfirmation: string;
                };
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    confirmEmail: {
        parameters: {
            query: {
                confirmation: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Leads to the next page. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    sendEmailConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description It is sent, if there is such a user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                        sent: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    findUsers: {
        parameters: {
            query?: {
                /**
                 * @description Conditions, as in lists of entries.
                 * @example {
                 *       "username": {
                 *         "$eq": "ada"
                 *       }
                 *     }
                 */
                filters?: {
                    [key: string]: unknown;
                };
                /** @description Attributes, each with `:asc` or `:desc`. */
                sort?: string[];
                start?: number;
                /** @description Default: all users. */
                limit?: number;
                /** @description Relations in the answer: `*`, or names. */
                populate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreate"];
            };
        };
        responses: {
            /** @description The user. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    countUsers: {
        parameters: {
            query?: {
                /**
                 * @description Conditions, as in lists of entries.
                 * @example {
                 *       "username": {
                 *         "$eq": "ada"
                 *       }
                 *     }
                 */
                filters?: {
                    [key: string]: unknown;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of users. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    me: {
        parameters: {
            query?: {
                /** @description Relations in the answer: `*`, or names. */
                populate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    findOneUser: {
        parameters: {
            query?: {
                /** @description Relations in the answer: `*`, or names. */
                populate?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    findRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The roles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        roles: components["schemas"]["AuthRole"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    permissions?: components["schemas"]["PermissionTree"];
                };
            };
        };
        responses: {
            /** @description It is done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    findOneRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        role: components["schemas"]["AuthRole"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string;
                    permissions?: components["schemas"]["PermissionTree"];
                };
            };
        };
        responses: {
            /** @description It is done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthOk"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    findPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The permissions, none of them enabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        permissions: components["schemas"]["PermissionTree"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    localizeArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ArticleUpdate"] & {
                    locale: string;
                };
            };
        };
        responses: {
            /** @description The new entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Article"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["ServerError"];
        };
    };
    findLocales: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The locales. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Locale"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    getContentTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As Strapi 4 answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: ({
                            uid: string;
                            schema: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    getContentType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As Strapi 4 answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            uid: string;
                            schema: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    getComponents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As Strapi 4 answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: ({
                            uid: string;
                            schema: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["ServerError"];
        };
    };
    getComponent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As Strapi 4 answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            uid: string;
                            schema: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["ServerError"];
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The description. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["ServerError"];
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It answers. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description It does not. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["ServerError"];
        };
    };
    healthLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "live";
                        /** @enum {unknown} */
                        database?: "up" | "down" | "unknown";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["ServerError"];
        };
    };
    healthReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "ready" | "busy";
                        /** @enum {unknown} */
                        database?: "up" | "down" | "unknown";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The server stops, or the database does not answer. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "stopping" | "unavailable";
                        /** @enum {unknown} */
                        database?: "up" | "down" | "unknown";
                    };
                };
            };
            default: components["responses"]["ServerError"];
        };
    };
}
