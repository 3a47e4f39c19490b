import type { Declaration } from './declarations.ts';

export interface FoundPage {
  readonly declaration: Declaration;
  readonly path: Readonly<Record<string, string>>;
  readonly isJson: boolean;
}

export function createFinder(declarations: readonly Declaration[]) {
  const patterns = declarations.map((declaration) => ({
    declaration,
    pattern: patternOf(declaration.path),
    isAct: declaration.kind === 'act',
  }));
  function find(isAct: boolean, path: string): Omit<FoundPage, 'isJson'> | null {
    for (const each of patterns) {
      if (each.isAct !== isAct) continue;
      const match = each.pattern.exec(path);
      if (match === null) continue;
      const decoded = decodedSegments(match.groups ?? {});
      if (decoded !== null) return { declaration: each.declaration, path: decoded };
    }
    return null;
  }
  /** Ids never end in `.json`. */
  function findRequested(path: string): FoundPage | null {
    if (path.endsWith('.json')) {
      const page = find(false, path === '/overview.json' ? '/' : path.slice(0, -'.json'.length));
      if (page?.declaration.kind === 'page') return { ...page, isJson: true };
    }
    const found = find(false, path);
    return found === null ? null : { ...found, isJson: false };
  }
  return {
    /** `path` is below the base and percent-encoded. Null for no page; `other` for a page with another method. */
    find(method: string, path: string): FoundPage | 'other' | null {
      const requested = findRequested(path);
      const posted = find(true, path);
      if (method === 'GET' || method === 'HEAD') return requested ?? (posted === null ? null : 'other');
      if (method === 'POST' && posted !== null) return { ...posted, isJson: false };
      return requested === null && posted === null ? null : 'other';
    },
  };
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').map((part) => {
    const [, name, ending = ''] = /^\{(\w+)\}((?:\.\w+)?)$/.exec(part) ?? [];
    return name === undefined ? literal(part) : `(?<${name}>[^/]+)${literal(ending)}`;
  });
  return new RegExp(`^${segments.join('/')}$`);
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function decodedSegments(groups: Readonly<Record<string, string>>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, part]) => [name, decodeURIComponent(part)]));
  } catch {
    return null;
  }
}

export function declaredPathOf(found: FoundPage | 'other' | null): string {
  return found === null || found === 'other' ? 'none' : found.declaration.path;
}

/** The path below the base; null if it is elsewhere. */
export function pathBelow(base: string, pathname: string): string | null {
  if (pathname === base) return '/';
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : null;
}
