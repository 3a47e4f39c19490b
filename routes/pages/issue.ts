// /issues/{id}: one issue with its events, what may be done with it, and what of it can be taken away.
import { imageType } from '../../src/core/feedback/images.ts';
import { parseId } from '../../src/core/ids.ts';
import { endingModel } from '../../src/core/workspace/issue/ending.ts';
import {
  eventOfPath,
  eventView,
  issueEventModel,
  newestEventView,
} from '../../src/core/workspace/issue/event.ts';
import { headModel } from '../../src/core/workspace/issue/head.ts';
import { eventMarkdown, issueMarkdown } from '../../src/core/workspace/issue/markdown.ts';
import { issueSplitModel } from '../../src/core/workspace/issue/split.ts';
import {
  issueAskModel,
  issueEventsModel,
  issueHistoryModel,
  issueSimilarModel,
} from '../../src/core/workspace/issue/tabs.ts';
import { issueTagsModel } from '../../src/core/workspace/issue/tags.ts';
import { notHere, type Visit } from '../../src/core/workspace/visit.ts';
import { type Declaration, type FileAnswer, file, page } from '../../src/http/pages/declare.ts';
import { deletePage, endingPage, ignorePage, mergePage } from '../../src/pages/issue/ask.ts';
import { splitPage } from '../../src/pages/issue/split.ts';
import {
  issueEventPage,
  issueEventsPage,
  issueHistoryPage,
  issueSimilarPage,
} from '../../src/pages/issue/tabs.ts';
import { issueTagsPage } from '../../src/pages/issue/tags.ts';
import { issueActs } from './issue-acts.ts';

const event = '/issues/{id}/events/{event_id}';

/** Pages, files and acts of one issue. */
export function issuePages(): Declaration[] {
  return [
    file({ path: '/issues/{id}.md', answer: issueMarkdownFile }),
    page({ path: '/issues/{id}', model: issueEventModel, view: issueEventPage }),
    page({ path: '/issues/{id}/events', model: issueEventsModel, view: issueEventsPage }),
    page({ path: '/issues/{id}/tags', model: issueTagsModel, view: issueTagsPage }),
    page({ path: '/issues/{id}/activity', model: issueHistoryModel, view: issueHistoryPage }),
    page({ path: '/issues/{id}/similar', model: issueSimilarModel, view: issueSimilarPage }),
    page({ path: '/issues/{id}/merge', needs: 'member', model: issueAskModel, view: mergePage }),
    page({ path: '/issues/{id}/ignore', needs: 'member', model: issueAskModel, view: ignorePage }),
    page({
      path: '/issues/{id}/delete',
      needs: 'admin',
      model: async (visit) => (await endingModel(visit)) ?? (await issueAskModel(visit)),
      view: (model, frame) => ('ending' in model ? endingPage(model, frame) : deletePage(model, frame)),
    }),
    page({ path: '/issues/{id}/split', model: issueSplitModel, view: splitPage }),
    file({ path: `${event}.md`, answer: markdownFile }),
    file({ path: `${event}/download`, answer: storedFile }),
    file({ path: `${event}/attachments/{attachment_id}`, answer: attachmentFile }),
    file({ path: `${event}/attachments/{attachment_id}/image`, answer: attachmentImage }),
    page({ path: event, model: issueEventModel, view: issueEventPage }),
    ...issueActs(),
  ];
}

/** The event as the API answers it. */
async function storedFile(visit: Visit): Promise<FileAnswer> {
  const { event: found } = await eventOfPath(visit);
  return {
    contentType: 'application/json; charset=utf-8',
    bytes: `${JSON.stringify(eventView(visit, found))}\n`,
    filename: `event-${found.eventId}.json`,
  };
}

async function issueMarkdownFile(visit: Visit): Promise<FileAnswer> {
  const { head, found, tags } = await headModel(visit);
  const newest = await newestEventView(visit, found, head.stored);
  const id = head.issue.issue_id;
  return {
    contentType: 'text/markdown; charset=utf-8',
    bytes: issueMarkdown(head, tags, newest, `${visit.pagesUrl}/issues/${id}`),
    filename: `issue-${id}.md`,
  };
}

async function markdownFile(visit: Visit): Promise<FileAnswer> {
  const { event: found } = await eventOfPath(visit);
  const view = eventView(visit, found);
  const address = `${visit.pagesUrl}/issues/${view.issue_id}/events/${view.event_id}`;
  return {
    contentType: 'text/markdown; charset=utf-8',
    bytes: eventMarkdown(view, address),
    filename: `event-${found.eventId}.md`,
  };
}

/** Always a download, whatever it says of itself. */
async function attachmentFile(visit: Visit): Promise<FileAnswer> {
  const { bytes, filename } = await attachmentOf(visit);
  return { contentType: 'application/octet-stream', bytes, filename };
}

/** A picture by its own bytes, in a sandbox; nothing else is shown. */
async function attachmentImage(visit: Visit): Promise<FileAnswer> {
  const { bytes } = await attachmentOf(visit);
  const contentType = imageType(Buffer.from(bytes));
  if (contentType === null) throw notHere('A picture');
  return { contentType, bytes, contentSecurityPolicy: "sandbox; default-src 'none'" };
}

async function attachmentOf(visit: Visit) {
  const { event: found } = await eventOfPath(visit);
  const id = parseId(visit.path['attachment_id']);
  const issue = await visit.deps.store.findIssueAnywhere(found.issueId);
  const attachment =
    id === null || issue === null
      ? null
      : await visit.deps.store.findAttachment(issue.projectId, found.eventId, id);
  if (attachment === null) throw notHere('An attachment of this number');
  return attachment;
}
