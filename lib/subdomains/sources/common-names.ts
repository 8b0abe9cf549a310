/** Common first labels of hosts. */
export const commonNames: readonly string[] = `
  www www2 m mobile app apps web site home portal intranet extranet
  api api2 graphql ws rest gateway gw edge proxy lb cdn static assets media img images files download downloads upload
  mail mail2 smtp imap pop pop3 mx mx1 mx2 webmail exchange owa autodiscover autoconfig lists newsletter
  ns ns1 ns2 ns3 ns4 dns dns1 dns2 ntp
  auth login sso id idp accounts account oauth identity keycloak
  admin administrator cpanel whm plesk panel dashboard console manage management
  dev develop development test testing qa uat stage staging preview demo sandbox beta alpha preprod prod
  git gitlab github bitbucket svn ci jenkins build registry docker harbor nexus artifactory sonar
  jira confluence wiki docs doc help support status kb community forum blog news shop store pay payment payments billing
  db mysql postgres redis mongo elastic kibana grafana prometheus metrics logs log sentry monitor monitoring
  vpn remote rdp ssh bastion jump ftp sftp backup nas storage s3 minio
  k8s kubernetes cluster node1 server server1 host vps ldap ad dc1 radius
  crm erp hr chat meet video voip sip pbx cloud nextcloud owncloud calendar cal contacts office mdm
`
  .trim()
  .split(/\s+/);
