/** What has to be there before there is work: settings, companies, secrets, projects, agents. */
import { oneRow, type Sql } from '../database/database.ts';
import { encrypt } from '../secrets.ts';
import {
  created,
  idOf,
  ok,
  Refusal,
  requiredText,
  text,
  type ApiAnswer,
  type ApiRequest,
  type Route,
} from './request.ts';

export const companyRoutes: readonly Route[] = [
  { method: 'PATCH', path: '/api/instance/settings/experimental', act: changeSettings },
  { method: 'POST', path: '/api/companies', act: createCompany },
  { method: 'GET', path: '/api/companies/:id', act: showCompany },
  { method: 'PATCH', path: '/api/companies/:id', act: changeCompany },
  { method: 'POST', path: '/api/companies/:id/secrets', act: createSecret },
  { method: 'POST', path: '/api/companies/:id/projects', act: createProject },
  { method: 'GET', path: '/api/companies/:id/projects', act: listProjects },
  { method: 'POST', path: '/api/companies/:id/agents', act: createAgent },
  { method: 'GET', path: '/api/companies/:id/agents', act: listAgents },
];

/** Worktrees are always isolated here, so the one setting there is can only be confirmed. */
async function changeSettings({ body }: ApiRequest): Promise<ApiAnswer> {
  if (body['enableIsolatedWorkspaces'] !== true) throw new Refusal(422, 'isolated workspaces cannot be switched off');
  return ok({ enableIsolatedWorkspaces: true });
}

interface CompanyRow {
  readonly id: string;
  readonly name: string;
  readonly budget_monthly_cents: number;
}

async function createCompany(request: ApiRequest): Promise<ApiAnswer> {
  const company = await oneRow<CompanyRow>(
    request.plane.database,
    'insert into companies (name, budget_monthly_cents) values ($1, $2) returning *',
    [requiredText(request, 'name'), budgetOf(request) ?? 0],
  );
  return created(companyView(company));
}

async function showCompany(request: ApiRequest): Promise<ApiAnswer> {
  return ok(companyView(await company(request.plane.database, idOf(request))));
}

async function changeCompany(request: ApiRequest): Promise<ApiAnswer> {
  const { plane, body } = request;
  if (body['requireBoardApprovalForNewAgents'] === true) throw new Refusal(422, 'hires are never approved here');
  const { id, budget_monthly_cents: budget } = await company(plane.database, idOf(request));
  const changed = await oneRow<CompanyRow>(
    plane.database,
    'update companies set budget_monthly_cents = $2, updated_at = now() where id = $1 returning *',
    [id, budgetOf(request) ?? budget],
  );
  return ok(companyView(changed));
}

function companyView({ id, name, budget_monthly_cents }: CompanyRow): object {
  return { id, name, budgetMonthlyCents: budget_monthly_cents, requireBoardApprovalForNewAgents: false };
}

/** Only what is sealed is stored, and the value is never given out again. */
async function createSecret(request: ApiRequest): Promise<ApiAnswer> {
  const { plane } = request;
  const { id: companyId } = await company(plane.database, idOf(request));
  const [name, key] = [requiredText(request, 'name'), requiredText(request, 'key').toLowerCase()];
  const { id } = await oneRow<{ id: string }>(
    plane.database,
    'insert into company_secrets (company_id, name, key, material) values ($1, $2, $3, $4) returning id',
    [companyId, name, key, encrypt(plane.settings.secret, requiredText(request, 'value'))],
  );
  return created({ id, name, key, provider: 'local_encrypted', latestVersion: 1 });
}

interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  readonly workspace: object | null;
  readonly execution_workspace_policy: object | null;
}

async function createProject(request: ApiRequest): Promise<ApiAnswer> {
  const { plane, body } = request;
  const { id } = await company(plane.database, idOf(request));
  const project = await oneRow<ProjectRow>(
    plane.database,
    `insert into projects (company_id, name, status, workspace, execution_workspace_policy)
     values ($1, $2, $3, $4, $5) returning *`,
    [
      id,
      requiredText(request, 'name'),
      text(request, 'status'),
      body['workspace'] ?? null,
      body['executionWorkspacePolicy'] ?? null,
    ],
  );
  return created(projectView(project));
}

async function listProjects(request: ApiRequest): Promise<ApiAnswer> {
  const projects = await request.plane.database.query<ProjectRow>(
    'select * from projects where company_id = $1 order by created_at',
    [idOf(request)],
  );
  return ok(projects.map(projectView));
}

function projectView({ id, name, status, workspace, execution_workspace_policy }: ProjectRow): object {
  return { id, name, status, primaryWorkspace: workspace, executionWorkspacePolicy: execution_workspace_policy };
}

interface AgentRow {
  readonly id: string;
  readonly name: string;
  readonly role: string | null;
  readonly status: string;
  readonly pause_reason: string | null;
  readonly adapter_type: string;
}

const adapterTypes = ['claude_local', 'process'];

async function createAgent(request: ApiRequest): Promise<ApiAnswer> {
  const { plane, body } = request;
  const { id } = await company(plane.database, idOf(request));
  const adapterType = requiredText(request, 'adapterType');
  if (!adapterTypes.includes(adapterType)) throw new Refusal(422, `adapterType takes ${adapterTypes.join(' or ')}`);
  const agent = await oneRow<AgentRow>(
    plane.database,
    `insert into agents (company_id, name, role, adapter_type, adapter_config, runtime_config, budget_monthly_cents)
     values ($1, $2, $3, $4, $5, $6, $7) returning *`,
    [
      id,
      requiredText(request, 'name'),
      text(request, 'role'),
      adapterType,
      body['adapterConfig'] ?? {},
      body['runtimeConfig'] ?? {},
      budgetOf(request),
    ],
  );
  return created(agentView(agent));
}

async function listAgents(request: ApiRequest): Promise<ApiAnswer> {
  const agents = await request.plane.database.query<AgentRow>(
    'select * from agents where company_id = $1 order by created_at',
    [idOf(request)],
  );
  return ok(agents.map(agentView));
}

/** Without the configuration: its environment may hold what nobody should read. */
function agentView({ id, name, role, status, pause_reason, adapter_type }: AgentRow): object {
  return { id, name, role, status, pauseReason: pause_reason, adapterType: adapter_type };
}

function budgetOf({ body }: ApiRequest): number | null {
  const cents = body['budgetMonthlyCents'];
  return typeof cents === 'number' ? cents : null;
}

async function company(sql: Sql, id: string): Promise<CompanyRow> {
  const [row] = await sql.query<CompanyRow>('select * from companies where id = $1', [id]);
  if (row === undefined) throw new Refusal(404, `there is no company ${id}`);
  return row;
}
