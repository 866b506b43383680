/**
 * SQL for what a restart must not lose. The hash is there where the content may not change: a comment's body and an
 * attachment's asset. Documents, subtasks and decisions are expected to change.
 *
 * A deleted comment keeps its row and loses its body; it is left out here, so that it is missed like any other.
 */

export const durableRows = `
  select json_build_object('kind', 'comment', 'id', comment.id,
    'hash', encode(sha256(convert_to(comment.body, 'UTF8')), 'hex'),
    'label', left(regexp_replace(comment.body, '\\s+', ' ', 'g'), 60)) as row, comment.created_at as at
  from issue_comments comment
  where comment.issue_id in (select id from family) and to_jsonb(comment) ->> 'deleted_at' is null
  union all
  select json_build_object('kind', 'document', 'id', document.document_id, 'hash', null, 'label', document.key),
    document.created_at
  from issue_documents document where document.issue_id in (select id from family)
  union all
  select json_build_object('kind', 'attachment', 'id', attachment.id, 'hash', asset.sha256,
    'label', coalesce(asset.original_filename, asset.object_key)), attachment.created_at
  from issue_attachments attachment join assets asset on asset.id = attachment.asset_id
  where attachment.issue_id in (select id from family)
  union all
  select json_build_object('kind', 'subtask', 'id', subtask.id, 'hash', null,
    'label', coalesce(subtask.identifier, subtask.title)), subtask.created_at
  from issues subtask where subtask.parent_id in (select id from family)
  union all
  select json_build_object('kind', 'approval', 'id', approval.id, 'hash', null, 'label', approval.type),
    approval.created_at
  from issue_approvals link join approvals approval on approval.id = link.approval_id
  where link.issue_id in (select id from family)
  union all
  select json_build_object('kind', 'interaction', 'id', interaction.id, 'hash', null, 'label', interaction.kind),
    interaction.created_at
  from issue_thread_interactions interaction where interaction.issue_id in (select id from family)`;
