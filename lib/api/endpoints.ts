import * as alerts from "@/lib/alerts/contract";
import * as alertRules from "@/lib/alerts/rules/contract";
import * as alertCoverage from "@/lib/alerts/rules/coverage-contract";
import * as analytics from "@/lib/analytics/contract";
import * as anchors from "@/lib/anchors/contract";
import * as openapi from "@/lib/api/openapi-contract";
import * as apiKeys from "@/lib/api-keys/contract";
import * as apiKeyIdentify from "@/lib/api-keys/identify-contract";
import * as oldSecrets from "@/lib/api-keys/old-secrets/contract";
import * as apiKeyUsage from "@/lib/api-keys/usage-contract";
import * as auditProof from "@/lib/audit-logs/bundle/proof-contract";
import * as auditLogs from "@/lib/audit-logs/contract";
import * as auditStats from "@/lib/audit-logs/count/stats-contract";
import * as auditFacets from "@/lib/audit-logs/group/facets-contract";
import * as auditGrouping from "@/lib/audit-logs/group/group-events-contract";
import * as auditHolds from "@/lib/audit-logs/hold/contract";
import * as auditContext from "@/lib/audit-logs/read/context-contract";
import * as auditExport from "@/lib/audit-logs/read/export-contract";
import * as auditGet from "@/lib/audit-logs/read/get-contract";
import * as auditStream from "@/lib/audit-logs/read/stream-contract";
import * as auditRedact from "@/lib/audit-logs/redact/contract";
import * as auditSeal from "@/lib/audit-logs/seal/get-contract";
import * as auditGroups from "@/lib/audit-logs/security/groups-contract";
import * as auditViews from "@/lib/audit-views/contract";
import * as billing from "@/lib/billing/contract";
import * as certificateAgents from "@/lib/certificates/agents/agent-contract";
import * as certificateCalendars from "@/lib/certificates/calendars/calendar-contract";
import * as certificates from "@/lib/certificates/contract";
import * as certificateBulk from "@/lib/certificates/endpoints/bulk-contract";
import * as certificateFiles from "@/lib/certificates/file-contract";
import * as certificateHistory from "@/lib/certificates/history-contract";
import * as certificateRenewals from "@/lib/certificates/renewals/renewal-contract";
import * as trustStores from "@/lib/certificates/trust-stores/trust-store-contract";
import * as destinations from "@/lib/destinations/contract";
import type { Endpoint } from "@/lib/http/endpoint";
import * as invitations from "@/lib/invitations/contract";
import * as channels from "@/lib/notification-channels/contract";
import * as organizations from "@/lib/organizations/contract";
import * as search from "@/lib/search/contract";
import * as statusPages from "@/lib/status-pages/contract";
import * as subdomains from "@/lib/subdomains/contract";
import * as domains from "@/lib/subdomains/domain-contract";
import * as uptimeChecks from "@/lib/uptime/checks-contract";
import * as uptime from "@/lib/uptime/contract";
import * as incidents from "@/lib/uptime/incidents/contract";
import * as maintenanceWindows from "@/lib/uptime/maintenance-windows/contract";
import * as uptimeBulk from "@/lib/uptime/monitors/bulk-contract";
import * as uptimeStats from "@/lib/uptime/stats-contract";

/** All endpoints of the API. Each entry appears in the OpenAPI document and is tested by the conformance suite. */
export const endpoints: readonly Endpoint[] = [
  apiKeys.listApiKeys,
  apiKeys.createApiKey,
  apiKeys.getApiKey,
  apiKeys.updateApiKey,
  apiKeys.revokeApiKey,
  apiKeys.rotateApiKey,
  apiKeyIdentify.identifyApiKey,
  apiKeyUsage.getApiKeyUsage,
  apiKeyUsage.previewWhitelist,
  oldSecrets.getOldSecretUse,
  oldSecrets.handleOldSecretUse,
  auditLogs.listAuditLogs,
  auditLogs.listSecurityEvents,
  auditGroups.groupSecurityEvents,
  auditGet.getAuditLog,
  auditContext.getAuditContext,
  auditStats.getAuditStats,
  auditFacets.getAuditFacets,
  auditGrouping.groupAuditLogs,
  auditExport.exportAuditLogs,
  auditStream.streamAuditLogs,
  auditSeal.getSealedLog,
  auditProof.listCheckpoints,
  auditProof.getConsistency,
  auditProof.getAuditProof,
  anchors.getAnchors,
  anchors.setAnchors,
  destinations.listDestinations,
  destinations.createDestination,
  destinations.tryDestination,
  destinations.getDestination,
  destinations.getDestinationActivity,
  destinations.updateDestination,
  destinations.deleteDestination,
  destinations.pauseDestination,
  destinations.resumeDestination,
  destinations.replayDestination,
  destinations.testDestination,
  destinations.rotateDestinationSecret,
  auditRedact.redactAuditLog,
  auditHolds.listAuditHolds,
  auditHolds.placeAuditHold,
  auditHolds.releaseAuditHold,
  auditViews.listAuditViews,
  auditViews.createAuditView,
  auditViews.getAuditView,
  auditViews.updateAuditView,
  auditViews.deleteAuditView,
  certificates.listCertificates,
  certificates.addCertificate,
  certificates.handInCertificate,
  certificateFiles.exportCertificates,
  certificateHistory.listFindings,
  certificateRenewals.listRenewals,
  certificateRenewals.listRenewalOwners,
  certificates.getCertificate,
  certificateFiles.downloadCertificate,
  certificateHistory.getCertificateHistory,
  certificates.listCertificateEndpoints,
  certificates.createCertificateEndpoint,
  certificateFiles.exportCertificateEndpoints,
  certificates.getCertificateEndpoint,
  certificateHistory.getEndpointHistory,
  certificates.updateCertificateEndpoint,
  certificates.deleteCertificateEndpoint,
  certificates.checkCertificateEndpoint,
  certificates.reportCertificateEndpoint,
  certificateBulk.bulkUpsertEndpoints,
  certificateBulk.bulkUpdateEndpoints,
  certificateBulk.bulkCheckEndpoints,
  certificateBulk.importEndpoints,
  certificateCalendars.listCalendars,
  certificateCalendars.createCalendar,
  certificateCalendars.getCalendar,
  certificateCalendars.deleteCalendar,
  certificateCalendars.readCalendarFeed,
  certificateAgents.listAgents,
  certificateAgents.createAgent,
  certificateAgents.getAgent,
  certificateAgents.deleteAgent,
  certificateAgents.replaceAgentCredentials,
  certificateAgents.enrollAgent,
  certificateAgents.listAgentTargets,
  certificateAgents.reportAsAgent,
  trustStores.getPublicRoots,
  trustStores.listTrustStores,
  trustStores.createTrustStore,
  trustStores.getTrustStore,
  trustStores.updateTrustStore,
  trustStores.deleteTrustStore,
  uptime.listMonitors,
  uptime.createMonitor,
  uptime.getMonitor,
  uptime.updateMonitor,
  uptime.deleteMonitor,
  uptime.checkMonitor,
  uptime.rotateHeartbeatUrl,
  uptimeChecks.listUptimeChecks,
  uptimeStats.getUptimeStats,
  incidents.listIncidents,
  incidents.getIncident,
  incidents.updateIncident,
  maintenanceWindows.listMaintenanceWindows,
  maintenanceWindows.createMaintenanceWindow,
  maintenanceWindows.getMaintenanceWindow,
  maintenanceWindows.updateMaintenanceWindow,
  maintenanceWindows.deleteMaintenanceWindow,
  statusPages.listStatusPages,
  statusPages.createStatusPage,
  statusPages.getStatusPage,
  statusPages.updateStatusPage,
  statusPages.deleteStatusPage,
  uptimeBulk.bulkUpsertMonitors,
  uptimeBulk.bulkUpdateMonitors,
  uptimeBulk.bulkCheckMonitors,
  analytics.getAnalyticsOverview,
  analytics.getAnalyticsExpiry,
  analytics.getAnalyticsIssuers,
  analytics.getAnalyticsKeys,
  analytics.getAnalyticsLifetimes,
  analytics.getAnalyticsRenewals,
  analytics.getAnalyticsUptime,
  analytics.getAnalyticsResponseTimes,
  analytics.getAnalyticsMetrics,
  billing.getBilling,
  billing.listPlans,
  billing.createCheckout,
  billing.createPortal,
  billing.receiveBillingNotice,
  subdomains.listSubdomains,
  subdomains.getSubdomain,
  subdomains.reviewSubdomains,
  domains.listDomains,
  domains.createDomain,
  domains.getDomain,
  domains.updateDomain,
  domains.deleteDomain,
  domains.verifyDomain,
  domains.discoverDomain,
  subdomains.listIssuances,
  subdomains.authorizeIssuance,
  alerts.listAlerts,
  alerts.bulkActOnAlerts,
  alerts.getAlert,
  alerts.acknowledgeAlert,
  alerts.snoozeAlert,
  alerts.resolveAlert,
  alertRules.listAlertRules,
  alertRules.createAlertRule,
  alertRules.getAlertRule,
  alertRules.updateAlertRule,
  alertRules.deleteAlertRule,
  alertRules.previewAlertRule,
  alertRules.testAlertRule,
  alertCoverage.sendAlertRuleTest,
  alertCoverage.getAlertCoverage,
  channels.listNotificationChannels,
  channels.createNotificationChannel,
  channels.getNotificationChannel,
  channels.updateNotificationChannel,
  channels.deleteNotificationChannel,
  channels.testNotificationChannel,
  channels.rotateSigningSecret,
  channels.listNotificationDeliveries,
  channels.retryNotificationDelivery,
  organizations.listOrganizations,
  organizations.createOrganization,
  organizations.getOrganization,
  organizations.updateOrganization,
  organizations.deleteOrganization,
  organizations.restoreOrganization,
  organizations.exportOrganization,
  search.searchOrganization,
  organizations.listMembers,
  organizations.updateMember,
  organizations.removeMember,
  invitations.listInvitations,
  invitations.createInvitation,
  invitations.withdrawInvitation,
  openapi.getOpenApi,
];
